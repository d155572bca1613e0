import { median } from '../measure/quantiles.mjs';
import { atLeast, atMost } from '../report/goals.mjs';

const NAMES = { plain: 'plain tasks', unique: 'tasks with a key each', ten: 'tasks with ten to a key' };
const BY = 100;
const PHASES = ['enqueue', 'drain'];

export const found = ({ lives }, kind, batch) => lives.find((one) => one.kind === kind && one.batch === batch);

/** The median of the rates of one checkout; null if they were not measured. */
export function rateOf(one, name, phase) {
  return one?.rounds[0]?.[name] ? median(one.rounds.map((round) => round[name][phase].rate)) : null;
}

/** The median of the ratios of pairs; null without a base. */
export function ratioOf(one, phase) {
  if (!one?.rounds[0]?.before) return null;
  return median(one.rounds.map(({ before, now }) => now[phase].rate / before[phase].rate));
}

export const GOALS = [
  ...Object.entries(NAMES).flatMap(([kind, name]) =>
    PHASES.map((phase) =>
      atLeast(2, `${name} by ${BY}: ${phase}, times that of the base`, (result) =>
        ratioOf(found(result, kind, BY), phase),
      ),
    ),
  ),
  atLeast(0.7, `drain of tasks with a key each by ${BY}, of plain ones`, (result) => {
    const [keyed, plain] = ['unique', 'plain'].map((kind) => rateOf(found(result, kind, BY), 'now', 'drain'));
    return keyed === null || plain === null ? null : keyed / plain;
  }),
  atMost(0.005, "an idle service's share of a core", ({ idle }) => idle.now?.shareOfCore ?? null),
  atLeast(5_000, "a worker's tasks a second with handlers of 1 ms", ({ workers }) =>
    median(workers['1 ms each'].map(({ now }) => now.rate)),
  ),
];
