import { setTimeout as pause } from 'node:timers/promises';
import { createWaybill } from '@waybill/client';
import { fill } from '../graph/work.mjs';
import { quantile } from '../measure/quantiles.mjs';
import { startService } from '../systems/waybill-service.mjs';

const SUBJECT = { label: { name: 'customer', value: 'acme' } };
const BATCH = 50;
const LOOK_MS = 50;

/** How many seconds an erasure of `erased` tasks that have ended takes, from the order to its end, and the p99 of claims meanwhile, in milliseconds. */
export async function measureErasing(postgres, { erased }, say) {
  const service = await startService(await postgres.database('erasing'));
  try {
    const waybill = createWaybill({ url: service.url });
    await ended(waybill, erased);
    const others = waybill.queue('others');
    await others.define();
    const state = { isOver: false };
    const claims = claimsUntil(waybill, others, state);
    const began = performance.now();
    const { id } = await waybill.erase(SUBJECT, 'bench');
    const { state: end, result } = await endOf(waybill, id);
    const took = (performance.now() - began) / 1_000;
    state.isOver = true;
    if (end !== 'succeeded' || result.erased !== erased)
      throw new Error(`Expected ${erased} erased tasks, but got ${JSON.stringify(result)}`);
    const found = { seconds: took, claimP99: quantile(await claims, 0.99) };
    say(`erased ${erased} tasks in ${took.toFixed(1)} s, claims' p99 ${found.claimP99.toFixed(0)} ms`);
    return found;
  } finally {
    await service.stop();
  }
}

async function ended(waybill, count) {
  const queue = waybill.queue('orders');
  await queue.define();
  for (let made = 0; made < count; made += BATCH) {
    const size = Math.min(BATCH, count - made);
    await queue.enqueueMany(Array.from({ length: size }, (_, n) => ({ payload: { n }, labels: { customer: 'acme' } })));
    await settled(waybill, await queue.claim({ worker: 'w', max: size }));
  }
}

const settled = (waybill, claimed) =>
  waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed', result: taskId } })));

async function claimsUntil(waybill, queue, state) {
  const took = [];
  while (!state.isOver) {
    await fill(queue, BATCH);
    for (let claimed = 0; claimed < BATCH && !state.isOver; claimed++) {
      const began = performance.now();
      const tasks = await queue.claim({ worker: 'w', max: 1 });
      took.push(performance.now() - began);
      await settled(waybill, tasks);
    }
  }
  return took;
}

async function endOf(waybill, id) {
  for (;;) {
    const task = await waybill.task(id).get();
    if (task.finishedAt !== null) return task;
    await pause(LOOK_MS);
  }
}
