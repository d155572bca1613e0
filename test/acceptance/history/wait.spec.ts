import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, PolicyChanges, QueueHandle, TaskWait } from '@waybill/client';
import { waitedFor } from '@waybill/client/words';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;

async function make(policy: PolicyChanges = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(`wait-${++made}`);
  await queue.define(policy);
  return queue;
}

const claim = async (queue: QueueHandle): Promise<ClaimedTask> =>
  (await queue.claim({ worker: 'w1', server: 's1', waitMs: 10_000 }))[0]!;

const settle = ({ taskId, token }: ClaimedTask) =>
  service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);

/** The wait, which must add up: its intervals follow on each other, but for times in which the task ran. */
async function waitOf(id: string): Promise<TaskWait> {
  const wait = await service.waybill.task(id).wait();
  const { intervals, sums, waitedMs } = wait;
  const total = (parts: readonly { readonly ms: number }[]) => parts.reduce((sum, { ms }) => sum + ms, 0);
  expect([total(intervals), total(sums)]).toEqual([waitedMs, waitedMs]);
  for (const { from, until, ms } of intervals) expect(Date.parse(until) - Date.parse(from)).toBe(ms);
  return wait;
}

/** The causes in order, each said once however often it came in a row. */
const causesOf = ({ intervals }: TaskWait) =>
  intervals.map(({ because }) => because).filter((cause, at, all) => cause !== all[at - 1]);

/** From the submission to the claim, as the events say. */
async function recordedWait(id: string): Promise<number> {
  const events = await service.waybill.task(id).history();
  const claimed = events.find(({ type }) => type === 'TaskClaimed')!;
  return Date.parse(String(claimed.data.claimedAt)) - Date.parse(events[0]!.recordedAt);
}

describe('where the waiting time of a task went', () => {
  it('H-13 adds up to what its claim recorded, if nothing kept it', async () => {
    const queue = await make();
    const { id } = await queue.enqueue();
    await settle(await claim(queue));
    const { waitedMs } = await waitOf(id);
    const claimed = (await service.waybill.task(id).history()).find(({ type }) => type === 'TaskClaimed')!;
    expect(waitedMs).toBe(claimed.data.waitedMs);
  });

  it('H-13 was held, then paused, then due later, then behind others of its limit', async () => {
    const queue = await make({ maxRunning: 1 });
    const { id } = await queue.enqueue({}, { labels: { collection: '7' } });
    await service.as('ann').task(id).hold({ reason: 'audit' });
    await service.waybill.task(id).release();
    await service.as('otto').queue(queue.name).pause({ reason: 'disk full' });
    await queue.resume();
    await service.waybill.task(id).reschedule('2999-01-01T00:00:00.000Z');
    await queue.enqueue('other', { priority: 9 });
    const other = await claim(queue);
    await service.waybill.task(id).reschedule(null);
    await service.waybill.task(id).prioritise(3);
    await settle(other);
    await settle(await claim(queue));
    const wait = await waitOf(id);
    expect(wait.waitedMs).toBe(await recordedWait(id));
    const causes = causesOf(wait);
    for (const cause of ['held', 'queue-paused', 'due', 'no-slot'] as const) expect(causes).toContain(cause);
    expect(causes.indexOf('held')).toBeLessThan(causes.indexOf('queue-paused'));
    expect(causes.indexOf('queue-paused')).toBeLessThan(causes.indexOf('due'));
    expect(causes.indexOf('due')).toBeLessThan(causes.indexOf('no-slot'));
    const words = wait.intervals.map(waitedFor);
    expect(words).toEqual(expect.arrayContaining(['held (ann: audit)', 'queue paused (otto: disk full)']));
  });

  it('H-13 names the prerequisites and the batch that was not open', async () => {
    const queue = await make();
    const first = await queue.enqueue();
    const batch = await service.waybill.createBatch({ name: 'night' });
    const { id } = await queue.enqueue({}, { after: [{ task: first.id }], batch: batch.id });
    await settle(await claim(queue));
    await batch.open(1);
    await settle(await claim(queue));
    const wait = await waitOf(id);
    expect(wait.waitedMs).toBe(await recordedWait(id));
    const blockers = wait.intervals.flatMap(({ reason }) => reason?.blockers?.map((blocker) => blocker.id) ?? []);
    expect(new Set(blockers)).toEqual(new Set([first.id, batch.id]));
  });

  it('H-13 names the task that had its key', async () => {
    const queue = await make({ duplicatePending: 'allow' });
    const first = await queue.enqueue({}, { key: 'k' });
    const { id } = await queue.enqueue({}, { key: 'k' });
    await settle(await claim(queue));
    await settle(await claim(queue));
    const wait = await waitOf(id);
    expect(wait.intervals[0]).toMatchObject({ because: 'key', reason: { key: 'k', taskId: first.id } });
  });

  it('H-13 tells holds, drains and resources in turn', async () => {
    const { holds, system, resources } = service.waybill;
    await resources.define('tape', { unit: '%' });
    const queue = await make({ steps: [{ name: 'store', needs: [{ resource: 'tape', below: 80 }] }] });
    const { id } = await queue.enqueue({}, { labels: { shelf: 'a' } });
    await holds.place('shelf-a', { shelf: 'a' }, { reason: 'moving' });
    await holds.lift('shelf-a');
    await resources.measure('tape', 50);
    await system.drain({ reason: 'update' });
    await system.resume();
    const claimed = await claim(queue);
    await service.waybill.settle([
      {
        taskId: claimed.taskId,
        token: claimed.token,
        verdict: { type: 'completeStep', step: 'store', then: 'continue' },
      },
    ]);
    const wait = await waitOf(id);
    expect(causesOf(wait)).toEqual(expect.arrayContaining(['hold', 'resource', 'draining']));
  });

  it('H-13 counts each wait of a task that is tried again, with the delay before the retry', async () => {
    const backoff = { kind: 'fixed', baseMs: 1_000, jitter: 'none' } as const;
    const queue = await make({ onFailure: 'retry', retry: { maxAttempts: 3, backoff } });
    const { id } = await queue.enqueue();
    const { taskId, token } = await claim(queue);
    const error = { message: 'off', class: 'transient' } as const;
    await service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error } }]);
    await settle(await claim(queue));
    const wait = await waitOf(id);
    const retry = wait.intervals.find(({ because }) => because === 'retry')!;
    expect(retry).toMatchObject({ attempt: 2, reason: { failures: 1, error } });
    const scheduled = (await service.waybill.task(id).history()).find(({ type }) => type === 'TaskRetryScheduled')!;
    expect(retry.until).toBe(scheduled.data.dueAt);
    expect(waitedFor(retry)).toBe('delay before a retry 1 after transient: off');
  });

  it('H-13 goes on up to now for a task that waits, and is as of a moment what it was', async () => {
    const queue = await make();
    const { id, position } = await queue.enqueue();
    await service.waybill.task(id).hold();
    const now = await waitOf(id);
    expect(now.state).toBe('held');
    expect(now.intervals.at(-1)).toMatchObject({ because: 'held', until: now.until });
    const then = await service.waybill.asOf(position!).task(id).wait();
    expect(then).toMatchObject({ state: 'pending', asOf: { position } });
    expect(then.intervals.map(({ because }) => because)).not.toContain('held');
  });

  it('H-04 is not found for a task that does not exist', async () => {
    const absent = await refusalOf(service.waybill.task('019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f').wait());
    expect(absent.code).toBe('TASK_NOT_FOUND');
  });
});
