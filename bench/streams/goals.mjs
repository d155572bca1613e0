import { atMost, judged } from '../report/goals.mjs';

const GOALS = [
  atMost(
    2,
    "the enqueue's p99 while streams read the log, times that without",
    ({ without, readingBack }) => readingBack.p99 / without.p99,
  ),
  atMost(
    2,
    "the enqueue's p99 while streams follow the log, times that without",
    ({ without, following }) => following.p99 / without.p99,
  ),
];

export const judge = (result) => judged(GOALS, result);
