import { inLanes } from '../measure/lanes.mjs';
import { PAYLOAD } from '../measure/payload.mjs';
import { Stopwatch } from '../measure/stopwatch.mjs';
import { rates } from './bulk-and-drain.mjs';

/** Tasks handed in one by one by many callers, each of whom waits for the answer; until all are in, or the time is over. */
export async function single(system, { tasks, callers, limitSeconds }) {
  await system.empty();
  let done = 0;
  const watch = new Stopwatch({ limitSeconds });
  await inLanes(callers, tasks, async () => {
    if (watch.isOver) return;
    await system.enqueue(PAYLOAD);
    done++;
  });
  watch.stop();
  return { single: await rates(system, done, watch) };
}
