import { atLeast, atMost, judged } from '../report/goals.mjs';

const GOALS = [
  atLeast(0.95, 'last window : second', ({ windows }) => windows.at(-1).tasksPerSecond / windows[1].tasksPerSecond),
  atMost(400, "the service's peak memory, MB", ({ windows }) => windows.at(-1).peakMemoryMB),
];

export const judge = (result) => judged(GOALS, result);
