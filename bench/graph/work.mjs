import { uuidv7 } from 'uuidv7';
import { inLanes } from '../measure/lanes.mjs';
import { PAYLOAD } from '../measure/payload.mjs';

const BATCH = 500;
const LANES = 4;

/** Enqueues `count` tasks by 500 in four lanes, each with a key of its own or none. `more`: what else each is given, or a function of its number. */
export async function fill(queue, count, more = {}, { keyed = false } = {}) {
  const moreOf = typeof more === 'function' ? more : () => more;
  await inLanes(LANES, Math.ceil(count / BATCH), async (at) => {
    const size = Math.min(BATCH, count - at * BATCH);
    const tasks = Array.from({ length: size }, (_, n) => {
      const id = uuidv7();
      return { id, payload: PAYLOAD, ...(keyed && { key: id }), ...moreOf(at * BATCH + n) };
    });
    for (const outcome of await queue.enqueueMany(tasks))
      if ('problem' in outcome) throw new Error(outcome.problem.detail);
  });
}

/** Claims and settles `count` tasks by 500 in four lanes. */
export async function drain(waybill, queue, count) {
  let left = count;
  const lane = async (at) => {
    while (left > 0) {
      const claimed = await queue.claim({ worker: `w${at}`, max: BATCH, waitMs: 100 });
      const items = claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed', result: null } }));
      if (items.length > 0) await waybill.settle(items);
      left -= items.length;
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, at) => lane(at)));
}

export const seconds = async (work) => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
};
