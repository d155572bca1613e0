import { setTimeout as pause } from 'node:timers/promises';
import { createWaybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { batchSizes, inLanes } from '../measure/lanes.mjs';
import { PAYLOAD } from '../measure/payload.mjs';
import { median } from '../measure/quantiles.mjs';
import { Stopwatch } from '../measure/stopwatch.mjs';

const CONCURRENCY = 10;
const BATCH = 500;
const LANES = 4;

/** Handlers, as an application has them. */
const HANDLERS = { 'nothing to do': () => undefined, '1 ms each': () => pause(1) };

/** Tasks a second that one worker of the client finishes, with ten handlers at once. */
export async function ratesOfWorkers(url, { tasks, rounds }) {
  const found = {};
  for (const [name, handler] of Object.entries(HANDLERS)) {
    const rates = [];
    for (let round = 0; round <= rounds; round++) rates.push(await rateOfWorker(url, handler, tasks));
    found[name] = median(rates.slice(1));
  }
  return found;
}

async function rateOfWorker(url, handler, tasks) {
  const waybill = createWaybill({ url, actor: 'bench' });
  const queue = waybill.queue(`worker-${uuidv7()}`);
  await queue.define({});
  const sizes = batchSizes(tasks, BATCH);
  await inLanes(LANES, sizes.length, (at) =>
    queue.enqueueMany(Array.from({ length: sizes[at] }, () => ({ payload: PAYLOAD }))),
  );
  const watch = new Stopwatch();
  await work(waybill, queue.name, handler, tasks);
  watch.stop();
  return watch.rate(tasks);
}

/** Until the last handler returned and its result is recorded. */
async function work(waybill, queue, handler, tasks) {
  const worker = waybill.worker({ concurrency: CONCURRENCY, logger: null });
  let left = tasks;
  const done = new Promise((resolve) =>
    worker.handle(queue, async () => {
      await handler();
      if (--left === 0) resolve();
    }),
  );
  await worker.start();
  await done;
  await worker.stop();
}
