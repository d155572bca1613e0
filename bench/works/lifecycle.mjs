import { Stopwatch } from '../measure/stopwatch.mjs';
import { rates } from './bulk-and-drain.mjs';

/** Whole lives: tasks handed in, claimed and settled in batches by the same callers. */
export async function lifecycle(system, { tasks, batch }) {
  if (!system.lifecycle) return {};
  await system.empty();
  const watch = new Stopwatch();
  await system.lifecycle(tasks, batch);
  watch.stop();
  return { lifecycle: await rates(system, tasks, watch) };
}
