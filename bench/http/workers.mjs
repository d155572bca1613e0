import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { timeOfProcess } from '../measure/cpu.mjs';
import { batchSizes, inLanes } from '../measure/lanes.mjs';
import { Meter } from '../measure/meter.mjs';
import { PAYLOAD } from '../measure/payload.mjs';
import { HANDLERS } from './handlers.mjs';

const PROGRAM = join(import.meta.dirname, 'worker-process.mjs');
const BATCH = 500;
const LANES = 4;

/**
 * Tasks a second that one worker of the client finishes, with ten handlers at once, and the processor time a task of the
 * worker, the service and Postgres. The client of each checkout works for its own service, in turn.
 */
export async function costsOfWorkers(services, { tasks, rounds }, say) {
  const found = Object.fromEntries(Object.keys(HANDLERS).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, measured] of Object.entries(found)) {
      const one = {};
      for (const [which, service] of Object.entries(services)) one[which] = await costOfWorker(service, name, tasks);
      if (round > 0) measured.push(one);
      say(`round ${round}, a worker with ${name}: ${inWords(one)}`);
    }
  return found;
}

async function costOfWorker({ checkout, url, databaseUrl, pid, caller }, name, tasks) {
  const queue = await filledQueue(caller, tasks);
  const worker = fork(PROGRAM, [checkout, url, queue, name, String(tasks)]);
  const meter = await Meter.open({ url: databaseUrl });
  try {
    await once(worker, 'message');
    const [before, service] = [await meter.read(), timeOfProcess(pid)];
    worker.send('go');
    const [{ ms, microseconds }] = await once(worker, 'message');
    const [after, then] = [await meter.read(), timeOfProcess(pid)];
    const each = (time, since) => (time === null ? null : (time - since) / tasks);
    return {
      rate: tasks / (ms / 1_000),
      worker: microseconds / tasks,
      node: each(then, service),
      server: each(after.server, before.server),
    };
  } finally {
    await meter.close();
    worker.kill();
  }
}

async function filledQueue(caller, tasks) {
  const queue = `worker-${uuidv7()}`;
  await caller.put(`/v1/queues/${queue}`, {});
  const sizes = batchSizes(tasks, BATCH);
  await inLanes(LANES, sizes.length, (at) =>
    caller.post('/v1/tasks/batch', { tasks: Array.from({ length: sizes[at] }, () => ({ queue, payload: PAYLOAD })) }),
  );
  return queue;
}

const inWords = (one) =>
  Object.entries(one)
    .map(
      ([which, { rate, ...costs }]) =>
        `${which} ${Math.round(rate)}/s (${Object.values(costs).map(Math.round).join(', ')} µs a task)`,
    )
    .join(', ');
