import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventView, QueueHandle } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function defined(name: string, policy: Parameters<QueueHandle['define']>[0] = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(name);
  await queue.define(policy);
  return queue;
}

async function eventsOf(queue: string, category: 'attendance' | 'build'): Promise<readonly EventView[]> {
  const events: EventView[] = [];
  for await (const event of service.waybill.events({ queue, category })) events.push(event);
  return events;
}

const ago = (sql: string, queue: string) => service.pool.query(sql, [queue]);

describe('the attendance of a queue', () => {
  it('H-12 is recorded once when tasks have waited for a minute without a worker, and once when a worker asks', async () => {
    const queue = await defined('lonely');
    const { position } = await queue.enqueue('a');
    await ago(`update tasks set enqueued_at = enqueued_at - interval '2 minutes' where queue = $1`, 'lonely');
    const unattended = await service.eventAfter(position!, { queue: 'lonely', type: 'QueueUnattended' });
    expect(unattended.data).toEqual({ queue: 'lonely', since: null });
    await queue.claim({ worker: 'w1' });
    const attended = await service.eventAfter(unattended.position, { queue: 'lonely', type: 'QueueAttended' });
    expect(attended.data).toEqual({ queue: 'lonely', worker: 'w1' });
    await queue.claim({ worker: 'w1' });
    await queue.enqueue('b');
    await ago(`update tasks set enqueued_at = enqueued_at - interval '2 minutes' where queue = $1`, 'lonely');
    await ago(`update leases set deadline = now() - interval '1 day' where queue = $1`, 'lonely');
    await ago(`update worker_presence set seen_at = seen_at - interval '2 minutes' where queue = $1`, 'lonely');
    const again = await service.eventAfter(attended.position, { queue: 'lonely', type: 'QueueUnattended' });
    expect(Date.parse((again.data as { since: string }).since)).toBeLessThan(Date.parse(again.recordedAt) - 60_000);
    expect((await eventsOf('lonely', 'attendance')).map(({ type }) => type)).toEqual([
      'QueueUnattended',
      'QueueAttended',
      'QueueUnattended',
    ]);
  });
});

describe('a report that comes late', () => {
  it('is recorded in any queue, the first of each claim, and refused each time', async () => {
    const queue = await defined('late', { leaseMs: 1_000 });
    const { id } = await queue.enqueue('a');
    const [claimed] = await queue.claim({ worker: 'w1' });
    await service.eventAfter('0', { task: id, type: 'TaskLeaseExpired' });
    const settle = () =>
      service.waybill.settle([{ taskId: id, token: claimed!.token, verdict: { type: 'succeed' as const } }]);
    for (let again = 0; again < 3; again++)
      expect((await settle())[0]).toMatchObject({ problem: { code: 'LEASE_LOST' } });
    const late = (await service.waybill.task(id).history()).filter(({ type }) => type === 'TaskLateReportRefused');
    expect(late.map(({ data }) => data)).toEqual([
      { queue: 'late', attempt: 1, token: claimed!.token.split('.')[0], worker: 'w1', report: 'succeed' },
    ]);
  });

  it('is none if the worker had settled the claim', async () => {
    const queue = await defined('settled-twice');
    const { id } = await queue.enqueue('a');
    const [claimed] = await queue.claim({ worker: 'w1' });
    const settle = (type: 'succeed' | 'return') =>
      service.waybill.settle([{ taskId: id, token: claimed!.token, verdict: { type } }]);
    await settle('succeed');
    await settle('return');
    expect((await service.waybill.task(id).history()).map(({ type }) => type)).not.toContain('TaskLateReportRefused');
  });
});

describe('a build of workers', () => {
  it('begins with its first task in a queue', async () => {
    const queue = await defined('built');
    for (const build of ['1.0', '1.0', '1.1']) {
      await queue.enqueue(build);
      await queue.claim({ worker: 'w1', server: 's1', build });
    }
    expect((await eventsOf('built', 'build')).map(({ data }) => data)).toEqual([
      { queue: 'built', build: '1.0', worker: 'w1', server: 's1' },
      { queue: 'built', build: '1.1', worker: 'w1', server: 's1' },
    ]);
  });
});

describe('what is said of other tasks', () => {
  it('is not in the event of a pause, and the queue shows it', async () => {
    const queue = await defined('strict', { pauseAfterFailures: 1, onFailure: 'fail' });
    const { id } = await queue.enqueue('a');
    const [claimed] = await queue.claim({ worker: 'w1' });
    const error = { message: 'no route to ann', class: 'business' } as const;
    await service.waybill.settle([{ taskId: id, token: claimed!.token, verdict: { type: 'fail', error } }]);
    const paused = await service.eventAfter('0', { queue: 'strict', type: 'QueuePaused' });
    expect(paused).toMatchObject({ version: 2, data: { failure: { taskId: id, class: 'business' } } });
    expect(JSON.stringify(paused.data)).not.toContain('ann');
    const failure = { taskId: id, message: error.message, class: 'business' };
    expect((await queue.get()).pause!.failure).toEqual(failure);
    const past = await service.waybill.asOf(paused.position).queue('strict').get();
    expect(past.pause!.failure).toEqual(failure);
    const { id: waiting } = await queue.enqueue('b');
    const reasons = (await service.waybill.task(waiting).why()).reasons;
    expect(reasons[0]).toMatchObject({ because: 'queue-paused', failure });
    const { position } = await service.waybill.task(waiting).get();
    expect((await service.waybill.asOf(position).task(waiting).why()).reasons).toEqual(reasons);
  });

  it('is not in the report of a batch, and the list of reports shows it', async () => {
    await defined('members');
    const { id: batch } = await service.waybill.createBatch({ name: 'maps' });
    await service.waybill.queue('members').enqueue('a', { batch, reference: 'map of ann' });
    await service.waybill.batch(batch).open(1);
    const [claimed] = await service.waybill.queue('members').claim({ worker: 'w1' });
    await service.waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'succeed' } }]);
    const reported = await service.eventAfter('0', { category: 'batch', type: 'BatchReported' });
    expect(reported).toMatchObject({ version: 2, data: { changes: [{ task: claimed!.taskId, state: 'succeeded' }] } });
    expect(JSON.stringify(reported.data)).not.toContain('ann');
    const reports = service.waybill.batch(batch).reports();
    expect((await reports.next()).value!.changes).toEqual([
      { task: claimed!.taskId, state: 'succeeded', name: 'map of ann' },
    ]);
  });
});
