import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueHandle } from '@waybill/client';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { type RunningService, startService } from '../../support/running-service.js';

/** Here the reservation of a claim decides what Postgres decides elsewhere while it appends. */
describe('a claim with the events in EventStoreDB', () => {
  let server: EventStoreDbFixture;
  let service: RunningService;
  beforeAll(async () => {
    server = await EventStoreDbFixture.start();
    service = await startService({ eventStoreUrl: server.url });
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  const claim = async (queue: QueueHandle): Promise<string[]> =>
    (await queue.claim({ worker: 'w1', max: 10 })).map(({ taskId }) => taskId);

  it('gets nothing during a drain, and then what waited', async () => {
    const queue = service.waybill.queue('drained');
    await queue.define();
    await service.waybill.system.drain({ intake: 'open', reason: 'version 2 is being deployed' });
    const { id } = await queue.enqueue();
    expect(await claim(queue)).toEqual([]);
    await service.waybill.system.resume();
    expect(await claim(queue)).toEqual([id]);
  });

  it('leaves what a hold on its labels catches, and gets what stands behind it', async () => {
    const queue = service.waybill.queue('held');
    await queue.define();
    await service.waybill.holds.place('court', { customer: 'ann' }, { reason: 'the court asked for it' });
    const caught = await queue.enqueue(undefined, { labels: { customer: 'ann' } });
    const free = await queue.enqueue(undefined, { labels: { customer: 'bob' } });
    expect(await claim(queue)).toEqual([free.id]);
    expect(await service.waybill.task(caught.id).get()).toMatchObject({ state: 'held' });
  });

  it('leaves tasks whose step is short of a resource, until there is enough of it', async () => {
    const queue = service.waybill.queue('short');
    await service.waybill.resources.define('disk', { unit: 'GB' });
    await queue.define({ steps: [{ name: 'write', needs: [{ resource: 'disk', below: 10 }] }] });
    await service.waybill.resources.measure('disk', 40);
    const { id } = await queue.enqueue();
    expect(await claim(queue)).toEqual([]);
    await service.waybill.resources.measure('disk', 5);
    expect(await claim(queue)).toEqual([id]);
  });
});
