import { atLeast, atMost, judged } from '../report/goals.mjs';

const GOALS = [
  atMost(2, 'all dependants of one task are ready after, s', ({ fanOut }) => fanOut.ready / 1_000),
  atMost(50, 'longest hold of an append meanwhile, ms', ({ fanOut }) => fanOut.longest),
  atMost(2, 'the same with keys of their own, s', ({ fanOutOfKeys }) => fanOutOfKeys.ready / 1_000),
  atMost(50, 'longest hold of an append meanwhile, ms', ({ fanOutOfKeys }) => fanOutOfKeys.longest),
  atMost(10, 'a chain of one request : as many behind one task', ({ chains }) => chains.ratio),
  atLeast(0.9, 'drain of a batch : of plain tasks', ({ batch }) => batch.ratio),
];

export const judge = (result) => judged(GOALS, result);
