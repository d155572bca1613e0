import { uuidv7 } from 'uuidv7';
import { batchSizes, inLanes } from '../measure/lanes.mjs';
import { Stopwatch } from '../measure/stopwatch.mjs';

const LANES = 4;
const WAIT_MS = 100;
const PAYLOAD = { file: 'a/file/name.txt', size: 123_456, note: 'x'.repeat(100) };

/** Tasks per second, enqueued, then claimed and settled in batches by four callers. */
export async function livesOf(waybill, tasks, batch) {
  const queue = waybill.queue(`lives-${uuidv7()}`);
  await queue.define();
  const sizes = batchSizes(tasks, batch);
  const enqueue = await rate(tasks, sizes, (size) =>
    queue.enqueueMany(Array.from({ length: size }, () => ({ payload: PAYLOAD }))),
  );
  // A claim that another one overtakes gets fewer tasks, so the callers continue until all are done.
  let done = 0;
  const watch = new Stopwatch();
  const caller = async () => {
    while (done < tasks) {
      const settled = await workOff(waybill, queue, batch);
      done += settled;
    }
  };
  await Promise.all(Array.from({ length: LANES }, caller));
  watch.stop();
  const drain = watch.rate(tasks);
  return { enqueue, drain, life: 1 / (1 / enqueue + 1 / drain) };
}

/** Returns how many tasks it settled. */
async function workOff(waybill, queue, max) {
  const claimedTasks = await queue.claim({ worker: 'bench', max, waitMs: WAIT_MS });
  if (claimedTasks.length === 0) return 0;
  const items = claimedTasks.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' } }));
  return (await waybill.settle(items)).filter((outcome) => !('problem' in outcome)).length;
}

async function rate(tasks, sizes, work) {
  const watch = new Stopwatch();
  await inLanes(LANES, sizes.length, (at) => work(sizes[at]));
  watch.stop();
  return watch.rate(tasks);
}
