import { atMost } from '../report/goals.mjs';

/** Of all processes, with and without keys, the one whose claims vary most. */
function worst(scale) {
  if (!scale) return null;
  return Math.max(
    ...scale.flatMap(({ claimers }) => claimers.map(({ p50, p99 }) => (p50 === null ? Infinity : p99 / p50))),
  );
}

export const SCALE_GOALS = [
  atMost(5, "a claimer's wait among up to four API processes, p99 : median", ({ scale }) => worst(scale)),
];
