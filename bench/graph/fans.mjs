import { uuidv7 } from 'uuidv7';
import { quantile } from '../measure/quantiles.mjs';
import { until } from '../measure/until.mjs';
import { fill } from './work.mjs';

const BEFORE_MS = 1_000;

/** One task that many wait for, each with a key of its own or none, while another caller enqueues one task after the other. */
export async function measureFanOut({ waybill, database }, { dependants }, { keyed }) {
  const queue = await queueNamed(waybill, keyed ? 'fan-out-of-keys' : 'fan-out');
  const other = await queueNamed(waybill, 'beside');
  const { id } = await queue.enqueue(null);
  await fill(queue, dependants, { after: [{ task: id }] }, { keyed });
  const root = await rootOf(queue);
  const appends = new Appends(other);
  const before = await appends.during(() => new Promise((resolve) => setTimeout(resolve, BEFORE_MS)));
  const began = performance.now();
  const meanwhile = await appends.during(async () => {
    await waybill.settle([root]);
    await noneBlocked(database, queue.name);
  });
  const ready = performance.now() - began;
  return {
    ready,
    median: quantile(meanwhile, 0.5),
    longest: Math.max(...meanwhile),
    longestBefore: Math.max(...before),
  };
}

/** One task that waits for many, until the last of them has succeeded. */
export async function measureFanIn({ waybill, database }, { dependants }) {
  const queue = await queueNamed(waybill, 'fan-in');
  await fill(queue, dependants);
  const needs = [];
  for await (const { id } of waybill.tasks.list({ queue: queue.name }, { limit: 500 })) needs.push({ task: id });
  const { id } = await queue.enqueue(null, { id: uuidv7(), after: needs });
  for (let left = dependants; left > 500;) left -= await settleSome(waybill, queue, Math.min(500, left - 500));
  const began = performance.now();
  while ((await settleSome(waybill, queue, 500)) > 0);
  await noneBlocked(database, queue.name);
  if ((await waybill.task(id).get()).state === 'prepared') throw new Error('Expected the last task to be ready');
  return { ready: performance.now() - began };
}

async function settleSome(waybill, queue, max) {
  const claimed = await queue.claim({ worker: 'w', max });
  if (claimed.length > 0)
    await waybill.settle(
      claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed', result: null } })),
    );
  return claimed.length;
}

const BLOCKED = `select count(*)::int as blocked from waiting where queue = $1 and gate = 'blocked'`;

const noneBlocked = (database, queue) =>
  until('all tasks to be ready', async () => (await database.query(BLOCKED, [queue])).rows[0].blocked === 0);

async function rootOf(queue) {
  const [{ taskId, token }] = await queue.claim({ worker: 'w', max: 1 });
  return { taskId, token, verdict: { type: 'succeed', result: null } };
}

async function queueNamed(waybill, name) {
  const queue = waybill.queue(name);
  await queue.define();
  return queue;
}

/** One caller that enqueues one task after the other. */
class Appends {
  #queue;

  constructor(queue) {
    this.#queue = queue;
  }

  /** The milliseconds that each append took during the work. */
  async during(work) {
    const took = [];
    let over = false;
    const lane = (async () => {
      while (!over) {
        const began = performance.now();
        await this.#queue.enqueue({ n: took.length });
        took.push(performance.now() - began);
      }
    })();
    await work().finally(() => (over = true));
    await lane;
    return took;
  }
}
