import { inLanes } from '../measure/lanes.mjs';
import { PAYLOAD } from '../measure/payload.mjs';
import { emptied } from './emptied.mjs';
import { measured } from './measured.mjs';

/**
 * Tasks enqueued one by one by many callers, each of which waits for its answer, until all are stored or the time is
 * over.
 */
export async function single(system, { tasks, callers, limitSeconds }, places) {
  await emptied(system, places);
  const enqueued = await measured(system, places.meter, { limitSeconds }, async (watch) => {
    let done = 0;
    await inLanes(callers, tasks, async () => {
      if (watch.isOver) return;
      await system.enqueue(PAYLOAD);
      done++;
    });
    return done;
  });
  return { single: enqueued };
}
