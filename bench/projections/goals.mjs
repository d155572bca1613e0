import 'reflect-metadata';
import { FOLLOWED } from '../../dist/projections/read-models.js';
import { atLeast, atMost, judged } from '../report/goals.mjs';

/** The lag of the slowest read model. The other followers are reactions, which nobody reads. */
const slowest = (lag) => Math.max(...FOLLOWED.map(({ name }) => lag[name].p99));

const GOALS = [
  atMost(100, "the read models' live lag p99 while tasks are worked off, ms", ({ lag }) => slowest(lag)),
  atLeast(80_000, 'rebuild of `tasks`, events/s', ({ rebuilds }) => rebuilds.tasks),
  atLeast(50_000, 'rebuild of all models, events/s', ({ rebuilds }) => rebuilds.all),
  atMost(0, 'events missed by a reader beside the writers', ({ log }) => log.written - log.seen),
];

export const judge = (result) => judged(GOALS, result);
