import { median } from '../measure/quantiles.mjs';
import { atMost, judged } from '../report/goals.mjs';

const ratio = (rounds, part) => median(rounds.map((round) => round[part].p99 / round.without.p99));

const GOALS = [
  atMost(2, "the enqueue's p99 while streams read the log, times that without", ({ rounds }) =>
    ratio(rounds, 'readingBack'),
  ),
  atMost(2, "the enqueue's p99 while streams follow the log, times that without", ({ rounds }) =>
    ratio(rounds, 'following'),
  ),
];

export const judge = (result) => judged(GOALS, result);
