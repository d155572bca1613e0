import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, PolicyChanges, QueueHandle, SettleVerdict, TaskExplanation } from '@waybill/client';
import { explained } from '@waybill/client/words';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;

async function make(policy: PolicyChanges = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(`then-${++made}`);
  await queue.define(policy);
  return queue;
}

const claim = async (queue: QueueHandle, server = 's1'): Promise<ClaimedTask> =>
  (await queue.claim({ worker: 'w1', server, waitMs: 10_000 }))[0]!;

const settle = ({ taskId, token }: ClaimedTask, verdict: SettleVerdict) =>
  service.as('w1').settle([{ taskId, token, verdict }]);

const LATE = '2999-01-01T00:00:00.000Z';

/** What `why` answered, and the head of the log then. */
interface Answered {
  readonly id: string;
  readonly then: TaskExplanation;
  readonly position: string;
}

const answered: Answered[] = [];

/** Asks `why` now. Nobody else records anything meanwhile. */
async function ask(id: string): Promise<readonly TaskExplanation['reasons'][number]['because'][]> {
  const answer = await fetch(`${service.url}/v1/tasks/${id}/why`);
  const then = (await answer.json()) as TaskExplanation;
  let position = '0';
  for await (const event of service.waybill.events()) position = event.position;
  answered.push({ id, then, position });
  return then.reasons.map(({ because }) => because);
}

const UNTOLD = { lastPolledAt: null, unattended: null, step: null, measuredAt: null, ranMs: null };

/** Without what no event tells of workers and gauges, what counts up to the question, and what is open of batches. */
const told = ({ reasons }: TaskExplanation) =>
  reasons.map((reason) => ({
    ...reason,
    ...UNTOLD,
    ...(reason.blockers && { blockers: reason.blockers.map(({ id, state }) => ({ id, state })) }),
  }));

/** Everything that was answered since is answered again as of then. */
async function repeats(): Promise<void> {
  for (const { id, then, position } of answered.splice(0)) {
    const now = await service.waybill.asOf(position).task(id).why();
    expect([position, told(now)]).toEqual([position, told(then)]);
    expect(now).toMatchObject({ state: then.state, queue: then.queue, allowed: [], asOf: { position } });
  }
}

describe('why as of a moment', () => {
  it('H-11 answers again that a worker was awaited, and then how it ran and ended', async () => {
    const queue = await make({ maxRunMs: 3_600_000 });
    const { id } = await queue.enqueue();
    expect(await ask(id)).toEqual(['worker']);
    const claimed = await claim(queue);
    expect(await ask(id)).toEqual(['state']);
    await service.as('ann').task(id).cancel({ reason: 'no need' });
    expect(await ask(id)).toEqual(['cancel-requested']);
    await settle(claimed, { type: 'confirmCancel' });
    expect(await ask(id)).toEqual(['ended']);
    await service.waybill.task(id).retry();
    await settle(await claim(queue), { type: 'fail', error: { message: 'no', class: 'business' } });
    expect(await ask(id)).toEqual(['ended']);
    await service.as('ann').task(id).abort({ reason: 'never' });
    expect(await ask(id)).toEqual(['ended']);
    await repeats();
  });

  it('H-11 answers again when it was due, who held it, and what it retried', async () => {
    const backoff = { kind: 'fixed', baseMs: 3_600_000, jitter: 'none' } as const;
    const queue = await make({ onFailure: 'retry', retry: { maxAttempts: 3, backoff } });
    const { id } = await queue.enqueue({}, { dueAt: LATE });
    expect(await ask(id)).toEqual(['due']);
    await service.as('ann').task(id).hold({ reason: 'audit' });
    expect(await ask(id)).toEqual(['held']);
    await service.waybill.task(id).release();
    await service.waybill.task(id).reschedule(null);
    await settle(await claim(queue), { type: 'fail', error: { message: 'off', class: 'transient' } });
    expect(await ask(id)).toEqual(['due']);
    expect(answered.at(-1)!.then.reasons).toMatchObject([{ failures: 1, maxAttempts: 3 }]);
    await service.waybill.task(id).reschedule(null);
    await repeats();
  });

  it('H-11 answers again that a person had to decide', async () => {
    const queue = await make({ onFailure: 'decide' });
    const { id } = await queue.enqueue();
    await settle(await claim(queue), { type: 'fail', error: { message: 'which one', class: 'business' } });
    expect(await ask(id)).toEqual(['decision']);
    await service.as('ann').task(id).decide('retry');
    expect(await ask(id)).toEqual(['worker']);
    await repeats();
  });

  it('H-11 answers again for which job it was claimed', async () => {
    const [items, jobs] = [await make({ leaseMs: 3_600_000 }), await make()];
    const { id } = await items.enqueue();
    const trigger = service.waybill.trigger(`of-${items.name}`);
    await trigger.define({ queue: items.name, every: 1, task: { queue: jobs.name } });
    const job = await claim(jobs);
    await trigger.disable();
    expect(await ask(id)).toEqual(['job']);
    expect(answered.at(-1)!.then.reasons).toMatchObject([{ taskId: job.taskId, state: 'running' }]);
    await settle(job, { type: 'succeed' });
    await repeats();
  });

  it('H-11 answers again which holds and which drain kept it', async () => {
    const { holds, system } = service.waybill;
    const queue = await make();
    const { id } = await queue.enqueue({}, { labels: { collection: '7', shelf: 'a' } });
    await holds.place('rights', { collection: '7' }, { reason: 'disk full' });
    expect(await ask(id)).toEqual(['hold']);
    await holds.place('rights', { collection: '7', shelf: 'b' });
    expect(await ask(id)).toEqual(['worker']);
    await holds.place('again', { shelf: 'a' });
    expect(await ask(id)).toEqual(['hold']);
    await holds.lift('again');
    await holds.lift('rights');
    await service.as('ann').system.drain({ reason: 'we deploy' });
    expect(await ask(id)).toEqual(['draining']);
    await system.resume();
    expect(await ask(id)).toEqual(['worker']);
    await repeats();
  });

  it('H-11 answers again until when rates allowed no start, of the queue and of a value, and says when the log leaves it open', async () => {
    const rate = { starts: 1, perMs: 3_600_000, burst: 2 };
    const queue = await make({ rate: { ...rate, burst: 3 }, perLabel: { label: 'customer', rate } });
    const of = async (customer: string) => (await queue.enqueue({}, { labels: { customer } })).id;
    const ids = [await of('acme'), await of('bolt'), await of('acme'), await of('acme'), await of('bolt')];
    const [acme, bolt] = ids.slice(3) as [string, string];
    const asked: [string, Answered][] = [];
    const untimed = (reason: TaskExplanation['reasons'][number]) => ({ ...reason, until: null });
    const askBoth = async (): Promise<void> => {
      for (const id of [acme, bolt]) {
        await ask(id);
        asked.push([id, answered.pop()!]);
      }
    };
    await askBoth();
    for (let n = 0; n < 3; n++) {
      await queue.claim({ worker: 'w' });
      await askBoth();
    }
    for (const [id, { then, position }] of asked) {
      const { reasons, asOf } = await service.waybill.asOf(position).task(id).why();
      expect(asOf!.notRecorded).not.toContain('rate');
      const [now, before] = [reasons, then.reasons].map((of) => of.filter(({ because }) => because === 'rate'));
      expect(now!.map(untimed)).toEqual(before!.map(untimed));
      for (const [at, { until }] of now!.entries())
        expect(Math.abs(Date.parse(until!) - Date.parse(before![at]!.until!))).toBeLessThan(60_000);
    }
    expect(asked.at(-2)![1].then.reasons.filter(({ because }) => because === 'rate')).toHaveLength(2);
    const { policyVersion } = await queue.get();
    await queue.changePolicy({ rate, perLabel: null }, { ifVersion: policyVersion });
    await ask(bolt);
    const { position } = answered.pop()!;
    expect((await service.waybill.asOf(position).task(bolt).why()).asOf!.notRecorded).toContain('rate');
  });

  it('H-11 answers again which prerequisites were not done', async () => {
    const queue = await make();
    const first = await queue.enqueue({}, { priority: 9 });
    const batch = await service.waybill.createBatch({ name: 'night' });
    const { id } = await queue.enqueue({}, { after: [{ task: first.id }, { batch: batch.id }] });
    expect(await ask(id)).toEqual(['prerequisites']);
    await settle(await claim(queue), { type: 'succeed' });
    expect(await ask(id)).toEqual(['prerequisites']);
    expect(answered.at(-1)!.then.reasons).toMatchObject([{ count: 1 }]);
    await batch.open(0);
    const { position } = await service.waybill.task(id).get();
    await service.eventAfter(position, { type: 'BatchCompleted' });
    expect(await ask(id)).toEqual(['worker']);
    await repeats();
  });

  it('H-11 names the batch that was not open', async () => {
    const batch = await service.waybill.createBatch({ name: 'later' });
    const { id, position } = await (await make()).enqueue({}, { batch: batch.id });
    await batch.open(1);
    const { reasons, asOf } = await service.waybill.asOf(position!).task(id).why();
    expect(reasons).toEqual([{ because: 'prerequisites', count: 1, blockers: [{ id: batch.id, state: 'planning' }] }]);
    expect(asOf!.notRecorded).toEqual(['rank', 'open', 'quarantined']);
  });

  it('H-11 answers again who had its key', async () => {
    const queue = await make({ duplicatePending: 'allow', onKeyFailure: 'block' });
    const first = await queue.enqueue({}, { key: 'k' });
    const { id } = await queue.enqueue({}, { key: 'k' });
    expect(await ask(id)).toEqual(['key']);
    const claimed = await claim(queue);
    expect(await ask(id)).toEqual(['key']);
    await settle(claimed, { type: 'fail', error: { message: 'full' } });
    expect(await ask(id)).toEqual(['key-failure']);
    await service.waybill.task(first.id).abort();
    expect(await ask(id)).toEqual(['worker']);
    await repeats();
  });

  it('H-11 answers again that its queue gave out nothing', async () => {
    const awaited = await make();
    const queue = await make({ waitsFor: [awaited.name] });
    const { id } = await queue.enqueue();
    expect(await ask(id)).toEqual(['queue-waiting']);
    await awaited.finish();
    await service.eventAfter(answered.at(-1)!.position, { queue: queue.name, type: 'QueueActivated' });
    expect(await ask(id)).toEqual(['worker']);
    await service.as('otto').queue(queue.name).pause({ reason: 'we move' });
    expect(await ask(id)).toEqual(['queue-paused']);
    await queue.resume();
    await service.waybill.task(id).cancel();
    await queue.finish();
    await service.waybill.task(id).retry();
    expect(await ask(id)).toEqual(['queue-finished']);
    await repeats();
  });

  it.each([
    ['serial', { concurrency: 'serial' }],
    ['perServer', { concurrency: { perServer: 1 } }],
    ['maxRunning', { maxRunning: 1 }],
    ['perLabel', { perLabel: { label: 'customer', maxRunning: 1 } }],
  ] as const)('H-11 answers again what ran, in queues with the limit %s', async (limit, policy) => {
    const queue = await make(policy);
    await queue.enqueue();
    const { id } = await queue.enqueue();
    const claimed = await claim(queue);
    expect(await ask(id)).toEqual(['no-slot']);
    expect(answered.at(-1)!.then.reasons).toMatchObject([{ limit }]);
    await settle(claimed, { type: 'succeed' });
    expect(await ask(id)).toEqual(['worker']);
    await repeats();
  });

  it('H-11 answers again that its step needed a resource', async () => {
    const { resources } = service.waybill;
    await resources.define('disk', { unit: '%' });
    const queue = await make({ steps: [{ name: 'store', needs: [{ resource: 'disk', below: 80 }] }] });
    const { id } = await queue.enqueue();
    expect(await ask(id)).toEqual(['resource']);
    await resources.measure('disk', 50);
    expect(await ask(id)).toEqual(['worker']);
    await resources.measure('disk', 90);
    expect(await ask(id)).toEqual(['resource']);
    await repeats();
  });

  it('H-14 names what the log does not know of the reasons', async () => {
    const queue = await make({ concurrency: 'serial', pauseAfterFailures: 3 });
    const { id, position } = await queue.enqueue();
    const then = async (at: string) => (await service.waybill.asOf(at).task(id).why()).asOf!.notRecorded;
    const ofWaiting = ['rank', 'lastPolledAt', 'unattended', 'lease-over', 'queue-failing', 'quarantined'];
    expect(await then(position!)).toEqual(ofWaiting);
    await claim(queue);
    const { position: running } = await service.waybill.task(id).get();
    expect(await then(running)).toEqual(['lease-over', 'quarantined']);
  });

  it('H-04 says from when on there is a task that did not exist then', async () => {
    const queue = await make();
    const earlier = await queue.enqueue();
    const later = await queue.enqueue();
    const absent = await refusalOf(service.waybill.asOf(earlier.position!).task(later.id).why());
    expect(absent).toMatchObject({ code: 'TASK_NOT_FOUND', problem: { existsFrom: { at: expect.any(String) } } });
  });

  it('H-10 is put in words without a way on', async () => {
    const { id, position } = await (await make()).enqueue({}, { dueAt: LATE });
    await service.waybill.task(id).cancel();
    const { position: cancelled } = await service.waybill.task(id).get();
    expect(explained(await service.waybill.asOf(position!).task(id).why())).toEqual([`It is due at ${LATE}.`]);
    const [ended, ...more] = explained(await service.waybill.asOf(cancelled).task(id).why());
    expect(ended).toMatch(/cancelled it\.$/);
    expect(more).toEqual([]);
  });
});
