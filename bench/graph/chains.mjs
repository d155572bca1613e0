import { uuidv7 } from 'uuidv7';
import { PAYLOAD } from '../measure/payload.mjs';
import { median } from '../measure/quantiles.mjs';
import { seconds } from './work.mjs';

/** A request of tasks that each wait for the one before, and one of as many that wait for the first, in turns. */
export async function measureChains({ waybill }, { chain, repeat }) {
  const queue = waybill.queue('chains');
  await queue.define();
  const took = { chain: [], fan: [] };
  for (let round = 0; round < repeat; round++) {
    for (const kind of ['fan', 'chain']) {
      const tasks = REQUEST[kind](Array.from({ length: chain }, () => uuidv7()));
      took[kind].push(1_000 * (await seconds(() => enqueueAll(queue, tasks))));
    }
  }
  const [ofChain, ofFan] = [median(took.chain), median(took.fan)];
  return { chain: ofChain, fan: ofFan, ratio: ofChain / ofFan };
}

const REQUEST = {
  chain: (ids) => ids.map((id, at) => task(id, ids[at - 1])),
  fan: (ids) => ids.map((id, at) => task(id, at === 0 ? undefined : ids[0])),
};

const task = (id, need) => ({ id, payload: PAYLOAD, ...(need !== undefined && { after: [{ task: need }] }) });

async function enqueueAll(queue, tasks) {
  for (const outcome of await queue.enqueueMany(tasks))
    if ('problem' in outcome) throw new Error(outcome.problem.detail);
}
