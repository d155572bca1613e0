import { emptied } from './emptied.mjs';
import { measured } from './measured.mjs';

/** Whole lives: the same callers enqueue, claim and settle tasks in batches. */
export async function lifecycle(system, { tasks, batch }, places) {
  if (!system.lifecycle) return {};
  await emptied(system, places);
  const lived = await measured(system, places.meter, {}, async () => {
    await system.lifecycle(tasks, batch);
    return tasks;
  });
  return { lifecycle: lived };
}
