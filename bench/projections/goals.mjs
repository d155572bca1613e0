import { atLeast, atMost, judged } from '../report/goals.mjs';

const GOALS = [
  atMost(100, 'live lag p99 while tasks are worked off, ms', ({ lag }) => lag.p99),
  atLeast(80_000, 'rebuild of `tasks`, events/s', ({ rebuilds }) => rebuilds.tasks),
  atLeast(50_000, 'rebuild of all models, events/s', ({ rebuilds }) => rebuilds.all),
  atMost(0, 'events missed by a reader beside the writers', ({ log }) => log.written - log.seen),
];

export const judge = (result) => judged(GOALS, result);
