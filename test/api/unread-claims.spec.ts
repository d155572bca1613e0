import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { LOG_LOCK } from '../../src/infrastructure/database/locks.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

/** A request over HTTP, in a way that it can be cut. */
function post(path: string, content: object) {
  const body = JSON.stringify(content);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sent = request(`${service.url}/v1/${path}`, { method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.end(body);
  return sent;
}

const waitsForLog = async (): Promise<true | null> => {
  const { rows } = await service.pool.query(`select from pg_locks where locktype = 'advisory' and not granted`);
  return rows.length > 0 || null;
};

/** The client leaves while its request waits for the log, and then what it asked for is recorded. */
async function cutWhileItWaits(path: string, content: object): Promise<void> {
  const connection = await service.pool.connect();
  await connection.query('begin');
  await connection.query(`select pg_advisory_xact_lock(${LOG_LOCK})`);
  const cut = post(path, content);
  await until('the request to wait for the log', waitsForLog);
  cut.destroy();
  await new Promise((resolve) => cut.once('close', resolve));
  await connection.query('rollback');
  connection.release();
}

it('gives a task back whose claim was recorded after its client had left, without an attempt and at its place', async () => {
  const queue = service.waybill.queue(`unread-${randomUUID()}`);
  await queue.define({ maxLost: 0 });
  const { id } = await queue.enqueue();
  await cutWhileItWaits(`queues/${queue.name}/claims`, { worker: 'w1' });
  const returned = await service.eventAfter('0', { queue: queue.name, type: 'TaskReturned' });
  expect(returned.data).toMatchObject({ attempt: 1, unstarted: true });
  expect(await service.waybill.task(id).get()).toMatchObject({ state: 'pending', attempt: 0 });
  expect(await queue.claim({ worker: 'w2' })).toMatchObject([{ taskId: id, attempt: 1 }]);
});

it('gives the only task of a serial queue to whoever claims next, who waits for no takeover', async () => {
  const queue = service.waybill.queue(`unread-${randomUUID()}`);
  await queue.define({ maxLost: 0, concurrency: 'serial', takeoverSeconds: 3_600 });
  const { id } = await queue.enqueue();
  await cutWhileItWaits(`queues/${queue.name}/claims`, { worker: 'w1', server: 's1' });
  await service.eventAfter('0', { queue: queue.name, type: 'TaskReturned' });
  expect(await queue.claim({ worker: 'w2', server: 's2' })).toMatchObject([{ taskId: id, attempt: 1 }]);
});

it('gives a job back with all its items', async () => {
  const [items, jobs] = ['items', 'jobs'].map((name) => service.waybill.queue(`unread-${name}-${randomUUID()}`));
  await items!.define({ maxLost: 0 });
  await jobs!.define({ maxLost: 0 });
  for (const n of [1, 2]) await items!.enqueue(n);
  const task = { queue: jobs!.name };
  await service.waybill.trigger(`unread-${randomUUID()}`).define({ queue: items!.name, every: 1, batchSize: 2, task });
  await service.eventAfter('0', { queue: jobs!.name, type: 'TaskEnqueued' });
  await cutWhileItWaits(`queues/${jobs!.name}/claims`, { worker: 'w1' });
  await service.eventAfter('0', { queue: jobs!.name, type: 'TaskReturned' });
  const [job] = await jobs!.claim({ worker: 'w2' });
  expect(job).toMatchObject({ attempt: 1, items: [{ payload: 1 }, { payload: 2 }] });
});

it('gives a started task to the queue whose client had left and cannot repeat the start', async () => {
  const queue = service.waybill.queue(`unread-${randomUUID()}`);
  await queue.define({ maxLost: 0 });
  await cutWhileItWaits('tasks/start', { queue: queue.name, worker: 'w1' });
  const returned = await service.eventAfter('0', { queue: queue.name, type: 'TaskReturned' });
  expect(returned.data).toMatchObject({ attempt: 1, unstarted: true });
  expect(await queue.claim({ worker: 'w2' })).toMatchObject([{ attempt: 1 }]);
});

it('keeps a started task for a client that had left and can repeat the start', async () => {
  const queue = service.waybill.queue(`unread-${randomUUID()}`);
  await queue.define({ maxLost: 0 });
  const start = { queue: queue.name, worker: 'w1', id: randomUUID() };
  await cutWhileItWaits('tasks/start', start);
  await service.eventAfter('0', { queue: queue.name, type: 'TaskClaimed' });
  const again = await queue.start({ worker: 'w1', id: start.id });
  expect(again).toMatchObject({ taskId: start.id, attempt: 1 });
  expect((await service.waybill.task(start.id).history()).map(({ type }) => type)).not.toContain('TaskReturned');
});
