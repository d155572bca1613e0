import { measured } from './measured.mjs';

/** Whole lives: the same callers enqueue, claim and settle tasks in batches. */
export async function lifecycle(system, { tasks, batch }, { meter }) {
  if (!system.lifecycle) return {};
  await system.empty();
  const lived = await measured(system, meter, {}, async () => {
    await system.lifecycle(tasks, batch);
    return tasks;
  });
  return { lifecycle: lived };
}
