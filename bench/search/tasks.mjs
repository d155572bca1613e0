import { inLanes } from '../measure/lanes.mjs';
import { seconds } from '../graph/work.mjs';

const BATCH = 500;
const LANES = 4;
const SMALL_QUEUES = 40;
const ONCE = { retry: { maxAttempts: 1, classes: [] } };
/** Longer than any run of the bench. */
const LEASE_MS = 12 * 3_600_000;

/**
 * Fills the service with so many tasks, and returns what searches name. Of ten tasks six are in `mail`, three in `print` and one in
 * one of 40 small queues, whose payloads are searched. Two thirds of those in `mail` succeed; one of 50 of all fails there, and in each state that is rare there is one of a thousand.
 */
export async function fillSearched({ waybill, ann }, tasks, say) {
  await defined(waybill);
  const few = Math.max(1, Math.ceil(tasks / 1_000));
  const batch = await waybill.createBatch({ name: 'nightly' });
  const filling = await seconds(() => filled(waybill, tasks, { batch: batch.id, few }));
  await batch.open(few);
  say(`${tasks} tasks in ${filling.toFixed(0)} s`);
  const ended = await seconds(async () => {
    await ending(waybill, Math.ceil(tasks / 50), failing);
    await ending(waybill, Math.ceil((tasks * 0.6 * 2) / 3), () => ({ type: 'succeed', result: null }));
  });
  say(`two thirds ended in ${ended.toFixed(0)} s`);
  await waybill.queue('steps').claim({ worker: 'w7', build: 'build-42', max: Math.min(few, BATCH), leaseMs: LEASE_MS });
  const held = await annHolds(ann, Math.min(few, 100));
  const [group] = await first(waybill.failures.list());
  return { batch: batch.id, group: group.id, id: held[0] };
}

async function defined(waybill) {
  for (const name of ['mail', 'print']) await waybill.queue(name).define(ONCE);
  for (const name of small()) await waybill.queue(name).define({ ...ONCE, search: ['customer'] });
  await waybill.queue('steps').define({ steps: ['read', 'write'] });
}

const small = () => Array.from({ length: SMALL_QUEUES }, (_, at) => `small-${at}`);

function filled(waybill, tasks, { batch, few }) {
  return inLanes(LANES, Math.ceil(tasks / BATCH), async (at) => {
    const size = Math.min(BATCH, tasks - at * BATCH);
    const some = Array.from({ length: size }, (_, of) => taskOf(at * BATCH + of, { batch, few, tasks }));
    for (const outcome of await waybill.enqueueMany(some))
      if ('problem' in outcome) throw new Error(outcome.problem.detail);
  });
}

function taskOf(n, { batch, few, tasks }) {
  return {
    queue: queueOf(n, tasks, few),
    payload: { n, customer: `c-${n % 1_000}` },
    kind: n % 3 === 0 ? 'letter' : 'card',
    reference: `inv-${n}`,
    labels: { customer: `c-${n % 1_000}`, region: n % 2 === 0 ? 'eu' : 'us' },
    ...(n % 4 === 0 && { key: `k-${n}` }),
    ...(n % 10 === 0 && { description: `Bill number ${n} of a customer` }),
    ...(n >= tasks - few && { batch }),
  };
}

function queueOf(n, tasks, few) {
  if (n < few) return 'steps';
  if (n % 10 < 6) return 'mail';
  return n % 10 < 9 ? 'print' : `small-${Math.floor(n / 10) % SMALL_QUEUES}`;
}

/** One of 50 messages, each of them with other numbers. */
const failing = (n) => ({
  type: 'fail',
  error: {
    message: `connect ETIMEDOUT to db${n % 50}/table at row ${n}`,
    class: n % 2 === 0 ? 'transient' : 'business',
  },
});

/** Claims and settles so many tasks of `mail`, in two builds one after the other. */
async function ending(waybill, count, verdictOf) {
  let left = count;
  const mail = waybill.queue('mail');
  const lane = async (at) => {
    while (left > 0) {
      const build = left > count / 2 ? 'build-41' : 'build-42';
      const claimed = await mail.claim({ worker: `w${at}`, build, max: Math.min(BATCH, left), waitMs: 100 });
      left -= claimed.length;
      const items = claimed.map(({ taskId, token }, n) => ({ taskId, token, verdict: verdictOf(left + n) }));
      if (items.length > 0) await waybill.settle(items);
      else return;
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, at) => lane(at)));
}

async function annHolds(ann, count) {
  const { items } = await ann.tasks.page({ queue: 'print', state: 'pending' }, { limit: count });
  for (const { id } of items) await ann.task(id).hold({ reason: 'later' });
  return items.map(({ id }) => id);
}

async function first(all) {
  for await (const one of all) return [one];
  throw new Error('Expected a group of failures, but there is none');
}
