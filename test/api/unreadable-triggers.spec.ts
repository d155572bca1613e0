import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

describe('a trigger that looks into a queue which this build cannot read', () => {
  let service: RunningService;

  beforeAll(async () => {
    // The test can damage events only in Postgres.
    service = await startService({ eventStoreUrl: undefined });
    for (const name of ['orders', 'jobs']) await service.waybill.queue(name).define();
  });
  afterAll(() => service.stop());

  /** As if a later build had written the queue's event. */
  const damage = (version: number) =>
    service.pool.query(
      `update segments set version = $1 where position = (select position from queues where name = 'orders')`,
      [version],
    );

  it('fails with its history as the cause, not contention, and makes its job once that can be read', async () => {
    const [orders, trigger] = [service.waybill.queue('orders'), service.waybill.trigger('gather')];
    await trigger.define({ queue: 'orders', every: 1, task: { queue: 'jobs' } });
    await trigger.disable();
    await orders.enqueue(1);
    await damage(99);
    await until('the queue to be read anew', () =>
      orders.enqueue(2).then(
        () => null,
        ({ code }) => (code === 'STREAM_UNREADABLE' ? true : null),
      ),
    );
    await trigger.enable();
    const failure = await until('the failure', async () => (await trigger.get()).failure);
    expect(failure.problem).toMatchObject({ code: 'STREAM_UNREADABLE', reason: expect.stringContaining('version 99') });
    await expect(trigger.fire()).rejects.toMatchObject({ code: 'STREAM_UNREADABLE' });
    await damage(1);
    await service.pool.query(`update triggers set retry_at = now() where name = 'gather'`);
    await until('the job', async () => (await trigger.get()).last);
  });
});
