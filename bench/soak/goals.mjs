import { atLeast, atMost, judged } from '../report/goals.mjs';

/** The cost in the service and Postgres together. */
function costRatio({ windows }) {
  const [second, last] = [windows[1], windows.at(-1)].map(({ cost }) => cost);
  if (last.service === null || last.postgres === null) return null;
  return (last.service + last.postgres) / (second.service + second.postgres);
}

const GOALS = [
  atMost(1.05, 'processor time a life, last window : second', costRatio),
  atLeast(
    0.95,
    'lives a second, last window : second',
    ({ windows }) => windows.at(-1).tasksPerSecond / windows[1].tasksPerSecond,
  ),
  atMost(400, "the service's peak memory, MB", ({ windows }) => windows.at(-1).peakMemoryMB),
];

export const judge = (result) => judged(GOALS, result);
