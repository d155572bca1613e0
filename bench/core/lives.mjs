import { uuidv7 } from 'uuidv7';
import { batchSizes, inLanes } from '../measure/lanes.mjs';
import { costOf } from '../measure/meter.mjs';
import { PAYLOAD } from '../measure/payload.mjs';
import { rounded } from '../measure/quantiles.mjs';
import { Stopwatch } from '../measure/stopwatch.mjs';

/** Tasks per second, enqueued and then drained in batches, with the cost of a task and the statements of a batch. */
export async function measureLives(useCases, meter, { tasks, batch, lanes, keyed }) {
  const queue = `bench-${uuidv7()}`;
  await useCases.defineQueue(queue);
  const sizes = batchSizes(tasks, batch);
  const before = await meter.read();
  const enqueue = await step(useCases, lanes, sizes, (size) => useCases.enqueue(newTasks(queue, size, keyed)));
  const drain = await step(useCases, lanes, sizes, (size) => drainBatch(useCases, queue, size));
  const { node, server } = costOf(before, await meter.read(), tasks);
  return {
    enqueue: enqueue.rate,
    drain: drain.rate,
    lifecycle: rounded(1 / (1 / enqueue.rate + 1 / drain.rate)),
    ...(server !== null && { node: rounded(node), postgres: rounded(server) }),
    statementsPerBatch: { enqueue: enqueue.statements, drain: drain.statements },
  };
}

/** While the database stores the batches of some lanes, others prepare theirs. */
async function step(useCases, lanes, sizes, work) {
  const watch = new Stopwatch();
  const statements = await useCases.statementsOf(() => inLanes(lanes, sizes.length, (at) => work(sizes[at])));
  watch.stop();
  const tasks = sizes.reduce((sum, size) => sum + size, 0);
  return { rate: rounded(watch.rate(tasks)), statements: rounded(statements / sizes.length) };
}

async function drainBatch(useCases, queue, size) {
  const done = await useCases.claimAndSettle(queue, size);
  if (done !== size) throw new Error(`Expected ${size} tasks to succeed, but ${done} did`);
}

const newTasks = (queue, size, keyed) =>
  Array.from({ length: size }, () => {
    const taskId = uuidv7();
    return { taskId, queue, kind: 'task', payload: PAYLOAD, ...(keyed && { key: taskId }) };
  });
