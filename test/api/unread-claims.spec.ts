import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { LOG_LOCK } from '../../src/infrastructure/database/locks.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

/** A claim over HTTP, in a way that it can be cut. */
function claim(queue: string) {
  const body = JSON.stringify({ worker: 'w1' });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sent = request(`${service.url}/v1/queues/${queue}/claims`, { method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.end(body);
  return sent;
}

const waitsForLog = async (): Promise<true | null> => {
  const { rows } = await service.pool.query(`select from pg_locks where locktype = 'advisory' and not granted`);
  return rows.length > 0 || null;
};

it('gives a task back whose claim was recorded after its client had left, without an attempt and at its place', async () => {
  const queue = service.waybill.queue(`unread-${randomUUID()}`);
  await queue.define({ maxLost: 0 });
  const { id } = await queue.enqueue();
  const connection = await service.pool.connect();
  await connection.query('begin');
  await connection.query(`select pg_advisory_xact_lock(${LOG_LOCK})`);
  const cut = claim(queue.name);
  await until('the claim to wait for the log', waitsForLog);
  cut.destroy();
  await new Promise((resolve) => cut.once('close', resolve));
  await connection.query('rollback');
  connection.release();
  const returned = await until('the task to be returned', async () => {
    const { events } = { events: await service.waybill.task(id).history() };
    return events.find(({ type }) => type === 'TaskReturned') ?? null;
  });
  expect(returned.data).toMatchObject({ attempt: 1, unstarted: true });
  expect(await service.waybill.task(id).get()).toMatchObject({ state: 'pending', attempt: 0 });
  expect(await queue.claim({ worker: 'w2' })).toMatchObject([{ taskId: id, attempt: 1 }]);
});
