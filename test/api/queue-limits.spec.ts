import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PolicyChanges, QueueHandle } from '@waybill/client';
import { replaced } from '../support/rebuilt.js';
import { type RunningService, startService } from '../support/running-service.js';

const HOUR = 3_600_000;
/** One start an hour. */
const SLOW = { starts: 1, perMs: HOUR, burst: 1 };
const of = (customer: string) => ({ labels: { customer } });

let service: RunningService;
let made = 0;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function make(policy: PolicyChanges = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(`limits-${++made}`);
  await queue.define(policy);
  return queue;
}

const perLabel = async (queue: QueueHandle) => (await queue.get()).policy.perLabel;

const claimed = async (queue: QueueHandle): Promise<readonly (string | undefined)[]> =>
  (await queue.claim({ worker: 'w', max: 10 })).map(({ labels }) => labels['customer']);

describe('the limits of a value of a label', () => {
  it('are all kept if many are set at once, each in a version with its actor and reason', async () => {
    const queue = await make();
    const values = Array.from({ length: 12 }, (_, n) => `c${String(n).padStart(2, '0')}`);
    await Promise.all(
      values.map((value) => queue.setLimit({ label: 'customer', value, maxRunning: 2 }, { reason: `for ${value}` })),
    );
    expect((await perLabel(queue))?.values?.map(({ value }) => value).sort()).toEqual(values);
    const versions = [];
    for await (const { by, reason } of queue.versions()) versions.push({ by, reason });
    const by = versions[0]!.by;
    expect(versions).toHaveLength(values.length + 1);
    expect(versions).toEqual(expect.arrayContaining(values.map((value) => ({ by, reason: `for ${value}` }))));
  });

  it('apply from the next claim on, and end when they are taken away', async () => {
    const queue = await make({ perLabel: { label: 'customer', maxRunning: 1 } });
    for (const customer of ['acme', 'acme', 'acme', 'bolt', 'bolt']) await queue.enqueue({}, of(customer));
    expect(await claimed(queue)).toEqual(['acme', 'bolt']);
    await queue.setLimit({ label: 'customer', value: 'acme', maxRunning: 2 });
    expect(await claimed(queue)).toEqual(['acme']);
    await queue.unsetLimit({ label: 'customer', value: 'acme' });
    expect(await claimed(queue)).toEqual([]);
    await queue.unsetLimit({ label: 'customer' });
    expect(await perLabel(queue)).toBeNull();
    expect(await claimed(queue)).toEqual(['acme', 'bolt']);
  });

  it('are listed with what runs and when the next may start, also of the tasks without the label, page by page', async () => {
    const queue = await make({ perLabel: { label: 'customer', maxRunning: 5 } });
    await queue.setLimit({ label: 'customer', value: 'acme', rate: SLOW });
    await queue.setLimit({ label: 'customer', value: 'bolt', maxRunning: 9 });
    for (const customer of ['acme', 'acme', 'cast']) await queue.enqueue({}, of(customer));
    const { position } = await queue.enqueue({});
    expect((await claimed(queue)).length).toBe(3);
    const page = await queue.limits({ minPosition: position });
    expect(page).toMatchObject({ label: 'customer', maxRunning: 5, nextCursor: null });
    expect(page.items).toEqual([
      { value: null, maxRunning: 5, isOwn: false, running: 1, nextStartAt: null },
      { value: 'acme', maxRunning: 5, rate: SLOW, isOwn: true, running: 1, nextStartAt: expect.any(String) },
      { value: 'bolt', maxRunning: 9, isOwn: true, running: 0, nextStartAt: null },
      { value: 'cast', maxRunning: 5, isOwn: false, running: 1, nextStartAt: null },
    ]);
    const wait = Date.parse(page.items[1]!.nextStartAt!) - Date.now();
    expect(wait > HOUR - 120_000 && wait <= HOUR + 120_000).toBe(true);
    const first = await queue.limits({ limit: 1 });
    const rest = await queue.limits({ cursor: first.nextCursor! });
    expect([...first.items, ...rest.items]).toEqual(page.items);
  });

  it('are kept by a rebuild of the index: what a rate has started counts on', async () => {
    const queue = await make({ rate: { ...SLOW, burst: 2 } });
    await queue.setLimit({ label: 'customer', value: 'acme', rate: SLOW });
    for (const customer of ['acme', 'acme', 'bolt', 'bolt']) await queue.enqueue({}, of(customer));
    expect(await claimed(queue)).toEqual(['acme', 'bolt']);
    await replaced(service.databaseUrl, 'index');
    expect(await claimed(queue)).toEqual([]);
    await queue.changePolicy({ rate: null }, { ifVersion: 2 });
    expect(await claimed(queue)).toEqual(['bolt']);
  });

  it('leave nothing in the index when the queue is deleted', async () => {
    const queue = await make({ fair: { label: 'customer' }, perLabel: { label: 'customer', rate: SLOW } });
    for (const customer of ['acme', 'bolt']) await queue.enqueue({}, of(customer));
    const tasks = await queue.claim({ worker: 'w', max: 2 });
    const rows = async () => {
      const counted = ['laned', 'turns', 'paces'].map(
        (table) => `(select count(*)::int from ${table} where queue = $1)`,
      );
      return Object.values(
        (
          await service.pool.query<object>(`select ${counted.map((count, at) => `${count} as c${at}`).join()}`, [
            queue.name,
          ])
        ).rows[0]!,
      );
    };
    expect(await rows()).toEqual([1, 2, 2]);
    await service.waybill.settle(tasks.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' } })));
    const { position } = await queue.delete();
    await service.caughtUp('queue-stats', position);
    expect(await rows()).toEqual([0, 0, 0]);
  });

  it('are refused for another label, and without a limit', async () => {
    const queue = await make({ perLabel: { label: 'customer', maxRunning: 1 } });
    await expect(queue.setLimit({ label: 'site', maxRunning: 1 })).rejects.toMatchObject({ code: 'LABEL_DIFFERS' });
    await expect(queue.setLimit({ label: 'customer' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining("Expected 'maxRunning' or 'rate', but there is neither"),
    });
    expect(await (await make()).limits()).toEqual({ label: null, items: [], nextCursor: null });
    await expect(service.waybill.queue('never').limits()).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
  });
});
