import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmbeddedWaybill, startWaybill } from '../../../src/index.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { makeQueue } from './cluster-queues.js';

let service: RunningService;
let embedded: EmbeddedWaybill;
beforeAll(async () => {
  service = await startService();
  embedded = await startWaybill({ databaseUrl: service.databaseUrl, roles: [] });
});
afterAll(async () => {
  await embedded.stop();
  await service.stop();
});

describe('a call without a transaction', () => {
  it.each(['over HTTP', 'in process'])(
    'S1-02 is its own: done and visible %s while the caller’s unit of work is open, and whatever becomes of that',
    async (way) => {
      const queue = await makeQueue(service.waybill, 'own');
      const caller = await service.pool.connect();
      await caller.query('begin');
      await caller.query('create temp table orders (number int) on commit drop');
      const from = way === 'in process' ? embedded.waybill : service.waybill;
      const { id } = await from.queue(queue.name).enqueue('published inside');
      const second = await service.addInstance();
      expect(await second.task(id).get()).toMatchObject({ state: 'pending' });
      const grant = await queue.take();
      expect(grant.taskId).toBe(id);
      await caller.query('rollback');
      caller.release();
      await queue.succeed(grant);
      expect(await service.waybill.task(id).get()).toMatchObject({ state: 'succeeded' });
    },
  );

  it('S1-04 lets the first of 1,000 start before the last is published', async () => {
    const queue = await makeQueue(service.waybill, 'stream');
    let published = 0;
    let publishedAtStart: number | null = null;
    const worker = service.waybill.worker({ name: 'w1', concurrency: 1, logger: null }).handle(queue.name, () => {
      publishedAtStart ??= published;
    });
    await worker.start();
    for (; published < 1_000; published++) await queue.handle.enqueue(published);
    await worker.stop();
    expect(publishedAtStart).not.toBeNull();
    expect(publishedAtStart!).toBeLessThan(1_000);
  }, 60_000);
});
