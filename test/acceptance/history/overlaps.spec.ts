import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, EventView } from '@waybill/client';
import { passLease } from '../../support/leases.js';
import { rebuilt, replaced } from '../../support/rebuilt.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

const claimBy = async (worker: string, queue: string): Promise<ClaimedTask> => {
  const [task] = await service.waybill.queue(queue).claim({ worker, waitMs: 10_000, leaseMs: 3_600_000 });
  return task!;
};

const settle = ({ taskId, token }: ClaimedTask) =>
  service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);

/** Lets the lease of a new task's first attempt end. */
async function lost(queue: string): Promise<ClaimedTask> {
  await service.waybill.queue(queue).define();
  const { position } = await service.waybill.queue(queue).enqueue({});
  const task = await claimBy('w1', queue);
  await passLease(service.pool, task.token.split('.')[0]!);
  await service.eventAfter(position!, { task: task.taskId, type: 'TaskLeaseExpired' });
  return task;
}

const eventOf = async (task: string, type: string, nth = 0): Promise<EventView> =>
  (await service.waybill.task(task).history()).filter((event) => event.type === type)[nth]!;

/** The overlaps of the queue once the follower has passed the last event of the task. */
async function overlapsOf(queue: string, task: string) {
  await service.caughtUp('lineage', (await service.waybill.task(task).history()).at(-1)!.position);
  return service.waybill.overlaps({ queue });
}

describe('the report of overlaps', () => {
  it('H-59 has the interval in which a lost attempt and the next one worked, and a share of all attempts', async () => {
    const first = await lost('doubled');
    const next = await claimBy('w2', 'doubled');
    for (let again = 0; again < 3; again++) await settle(first);
    const late = await eventOf(first.taskId, 'TaskLateReportRefused');
    await service.caughtUp('queue-history', late.position);
    const { items, ...figures } = await overlapsOf('doubled', first.taskId);
    const of = { queue: 'doubled', task: first.taskId, attempt: 1, worker: 'w1', nextAttempt: 2, nextWorker: 'w2' };
    const lostAt = (await eventOf(first.taskId, 'TaskLeaseExpired')).recordedAt;
    const begunAt = (await eventOf(first.taskId, 'TaskClaimed', 1)).recordedAt;
    expect(items).toEqual([{ position: late.position, ...of, lostAt, begunAt, endedAt: late.recordedAt }]);
    expect(figures).toMatchObject({ overlaps: 1, attempts: 2, share: 0.5, nextCursor: null });
    await settle(next);
  });

  it('H-59 ends with the next attempt if that had ended before the late report', async () => {
    const first = await lost('ended');
    await settle(await claimBy('w2', 'ended'));
    await settle(first);
    const [overlap] = (await overlapsOf('ended', first.taskId)).items;
    expect(overlap!.endedAt).toBe((await eventOf(first.taskId, 'TaskSucceeded')).recordedAt);
  });

  it('H-59 has nothing of a late report before the next attempt', async () => {
    const first = await lost('alone');
    await settle(first);
    await eventOf(first.taskId, 'TaskLateReportRefused');
    expect(await overlapsOf('alone', first.taskId)).toMatchObject({ items: [], overlaps: 0, share: 0 });
  });

  it('is built anew from the log', async () => {
    const before = await service.waybill.overlaps({ from: '1h' });
    expect(await rebuilt(service.waybill, 'lineage', 'diff')).toEqual(['0 rows']);
    await service.pool.query('delete from attempt_overlaps');
    await replaced(service.databaseUrl, 'lineage');
    expect((await service.waybill.overlaps({ from: '1h' })).items).toEqual(before.items);
    expect(before.items).toHaveLength(2);
  });

  it('H-59 goes on page by page, and refuses a range that ends before it begins', async () => {
    const all = await until('two overlaps', async () => {
      const page = await service.waybill.overlaps({ from: '1h' });
      return page.items.length === 2 ? page.items : null;
    });
    const { items, nextCursor } = await service.waybill.overlaps({ from: '1h', limit: 1 });
    const rest = await service.waybill.overlaps({ from: '1h', limit: 1, cursor: nextCursor! });
    expect([...items, ...rest.items]).toEqual(all);
    expect(rest.nextCursor).toBeNull();
    expect((await refusalOf(service.waybill.overlaps({ from: '1h', to: '2h' }))).code).toBe('INVALID_INPUT');
    expect((await refusalOf(service.waybill.overlaps({ cursor: 'x' }))).code).toBe('INVALID_INPUT');
  });
});
