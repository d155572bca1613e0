import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, EventView, QueueHandle, QueueView, SettleItem, TaskDetails } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const AGO = { kind: 'fixed', baseMs: 3_600_000, jitter: 'none' } as const;
const ERROR = { message: 'no route', class: 'transient', details: { host: 'db1' } } as const;

/** What the log does not know, and what the present does not have. */
const LEFT_OUT = ['lastHeartbeatAt', 'percent', 'progress', 'archivedAt', 'asOf'];

const ofTheLog = (task: TaskDetails) =>
  Object.fromEntries(Object.entries(task).filter(([name]) => !LEFT_OUT.includes(name)));

async function defined(name: string): Promise<QueueHandle> {
  const queue = service.waybill.queue(name);
  await queue.define();
  return queue;
}

const claim = async (queue: QueueHandle): Promise<ClaimedTask> =>
  (await queue.claim({ worker: 'w1', waitMs: 10_000 }))[0]!;

const settle = ({ taskId, token }: ClaimedTask, verdict: SettleItem['verdict']) =>
  service.waybill.settle([{ taskId, token, verdict }]);

/** A task now, and the position of now. Nobody else records anything. */
async function presentOf(id: string): Promise<{ present: TaskDetails; position: string }> {
  const { position: minPosition } = await service.waybill.task(id).get();
  const answer = await fetch(`${service.url}/v1/tasks/${id}?minPosition=${minPosition}`);
  return { present: (await answer.json()) as TaskDetails, position: answer.headers.get('x-as-of-position')! };
}

const all = async (): Promise<readonly EventView[]> => {
  const events: EventView[] = [];
  for await (const event of service.waybill.events()) events.push(event);
  return events;
};

describe('a task as of a moment', () => {
  it('H-01 is what it was at each position of its history', async () => {
    const queue = service.waybill.queue('lives');
    await queue.define({ retry: { maxAttempts: 5, classes: ['transient'], backoff: AGO }, steps: [] });
    const needed = await queue.enqueue('first');
    const id = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e40';
    const task = service.waybill.task(id);
    const seen: { present: TaskDetails; position: string }[] = [];
    const see = async () => seen.push(await presentOf(id));
    await queue.enqueue({ to: 'ann' }, { id, key: 'k', labels: { customer: 'a' }, after: [{ task: needed.id }] });
    await see();
    await settle(await claim(queue), { type: 'succeed' });
    await see();
    const first = await claim(queue);
    await see();
    await task.annotate({ page: 3 });
    await see();
    await settle(first, { type: 'fail', error: ERROR });
    await see();
    await task.retry();
    await see();
    await task.prioritise(7);
    await see();
    await task.amend({ to: 'bob' });
    await see();
    const second = await claim(queue);
    await see();
    await settle(second, { type: 'succeed', result: { pages: 3 } });
    await see();
    for (const { present, position } of seen) {
      const { asOf, ...past } = await service.waybill.asOf(position).task(id).get();
      expect(ofTheLog(past as TaskDetails)).toEqual(ofTheLog(present));
      expect(asOf).toMatchObject({ position, alternative: null, settled: true });
    }
    for (const { revision, position } of await task.history())
      expect(await service.waybill.asOf(position).task(id).get()).toMatchObject({ revision, position });
  });

  it('H-01 waits behind another task of its key, as it did then', async () => {
    const queue = service.waybill.queue('keys');
    await queue.define({ duplicatePending: 'allow' });
    const one = await queue.enqueue(1, { key: 'k' });
    const other = await queue.enqueue(2, { key: 'k' });
    const position = (await service.waybill.task(other.id).get()).position;
    const waits = async () => (await service.waybill.asOf(position).task(other.id).get()).waitingFor;
    expect(await waits()).toBe('key');
    const claimed = await claim(queue);
    expect(claimed.taskId).toBe(one.id);
    await settle(claimed, { type: 'succeed' });
    expect((await service.waybill.task(other.id).get()).waitingFor).toBe('worker');
    expect(await waits()).toBe('key');
  });

  it('H-02 as of a time is as of the position before the first event recorded after it', async () => {
    const queue = await defined('times');
    const { id } = await queue.enqueue('a');
    await service.waybill.task(id).prioritise(3);
    await service.waybill.task(id).hold();
    const events = await all();
    for (const { recordedAt } of await service.waybill.task(id).history()) {
      const later = events.findIndex((event) => event.recordedAt > recordedAt);
      const { position } = later < 0 ? events.at(-1)! : events[later - 1]!;
      const { asOf } = await service.waybill.asOf(new Date(recordedAt)).task(id).get();
      expect(asOf).toMatchObject({ at: recordedAt });
      if (later >= 0) expect(asOf!.position).toBe(position);
    }
  });

  it('H-04 refuses a time in the future, a position past the head, and a moment beside minPosition', async () => {
    const { id, position } = await (await defined('wrong')).enqueue('a');
    const get = (query: string) => fetch(`${service.url}/v1/tasks/${id}?${query}`);
    const refused = async (query: string) => {
      const answer = await get(query);
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    const invalid = [400, 'INVALID_INPUT'];
    expect(await refused(`asOf=${new Date(Date.now() + 3_600_000).toISOString()}`)).toEqual(invalid);
    expect(await refused('asOf=999999999999999')).toEqual(invalid);
    expect(await refused('asOf=0')).toEqual(invalid);
    expect(await refused('asOf=1999-01-01T00:00:00Z')).toEqual(invalid);
    expect(await refused('asOf=30d')).toEqual(invalid);
    expect(await refused('asOf=yesterday')).toEqual(invalid);
    expect(await refused(`asOf=${position}&minPosition=${position}`)).toEqual(invalid);
    const command = await fetch(`${service.url}/v1/tasks/${id}/hold?asOf=${position}`, { method: 'POST' });
    expect([command.status, ((await command.json()) as { code: string }).code]).toEqual(invalid);
  });

  it('H-04 says from when on there is what did not exist then', async () => {
    const queue = await defined('unborn');
    const earlier = await queue.enqueue('a');
    const later = await queue.enqueue('b');
    const [first] = await service.waybill.task(later.id).history();
    const absent = await refusalOf(service.waybill.asOf(earlier.position!).task(later.id).get());
    expect(absent).toMatchObject({ code: 'TASK_NOT_FOUND', status: 404 });
    expect(absent.problem.existsFrom).toEqual({ position: first!.position, at: first!.recordedAt });
    expect(absent.message).toMatch(/^Expected the task to exist at position \d+, but it exists from position \d+ on$/);
    const never = await refusalOf(
      service.waybill.asOf(earlier.position!).task('019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f').get(),
    );
    expect(never.code).toBe('TASK_NOT_FOUND');
    expect(never.problem.existsFrom).toBeUndefined();
  });

  it('H-14 names what the log does not know', async () => {
    const queue = await defined('unknown');
    const { id, position } = await queue.enqueue('a');
    const past = async (at: string) => (await service.waybill.asOf(at).task(id).get()).asOf!.notRecorded;
    expect(await past(position!)).toEqual([]);
    const claimed = await claim(queue);
    const { position: running } = await service.waybill.task(id).get();
    expect(await past(running)).toEqual(['lastHeartbeatAt', 'percent', 'progress']);
    await settle(claimed, { type: 'succeed' });
    const { position: done } = await service.waybill.task(id).get();
    expect(await past(done)).toEqual(['percent', 'progress', 'archivedAt']);
  });
});

describe('lists as of a moment', () => {
  const STATES = ['pending', 'running', 'held', 'failed', 'succeeded', 'cancelled', 'deleted'] as const;

  /** The ids by state now, and the position of now. */
  async function seen(queue: string, last: string) {
    const { position } = await presentOf(last);
    const states = new Map<string, string[]>();
    for await (const { id, state } of service.waybill.tasks.list({ queue }))
      states.set(state, [...(states.get(state) ?? []), id].sort());
    return { position, states };
  }

  async function listed(queue: string, position: string, state: (typeof STATES)[number]): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of service.waybill.asOf(position).tasks({ queue, state }, { limit: 2 })) ids.push(id);
    return ids;
  }

  it('H-05 have the tasks that were in each state at each moment', async () => {
    const queue = await defined('listed');
    const ids: string[] = [];
    const moments: Awaited<ReturnType<typeof seen>>[] = [];
    const see = async () => moments.push(await seen('listed', ids[0]!));
    for (let at = 0; at < 5; at++) ids.push((await queue.enqueue(at)).id);
    await see();
    const claimed = [await claim(queue), await claim(queue), await claim(queue)];
    await see();
    await settle(claimed[0]!, { type: 'succeed' });
    await settle(claimed[1]!, { type: 'fail', error: { message: 'no', class: 'business' } });
    await see();
    await service.waybill.task(ids[3]!).hold();
    await service.waybill.task(ids[4]!).cancel();
    await see();
    await service.waybill.task(claimed[1]!.taskId).retry();
    await service.waybill.task(ids[4]!).delete();
    await service.waybill.task(ids[3]!).release();
    await queue.enqueue('later');
    await see();
    for (const { position, states } of moments) {
      const { counts } = await service.waybill.asOf(position).queue('listed').tally();
      for (const state of STATES)
        expect([position, state, counts[state]]).toEqual([position, state, states.get(state)?.length ?? 0]);
    }
    for (const { position, states } of moments)
      for (const state of STATES)
        expect([position, state, await listed('listed', position, state)]).toEqual([
          position,
          state,
          states.get(state) ?? [],
        ]);
  });

  it('H-07 have a task that retention has moved since', async () => {
    const queue = service.waybill.queue('moved');
    await queue.define({ retention: { succeeded: 1 } });
    const { id } = await queue.enqueue('a');
    await settle(await claim(queue), { type: 'succeed' });
    const { position } = await service.waybill.task(id).get();
    await service.passTime('3 days');
    await until('the task to leave the lists', async () => (await service.waybill.task(id).get()).archivedAt);
    expect((await service.waybill.tasks.page({ queue: 'moved' })).items).toEqual([]);
    expect(await listed('moved', position, 'succeeded')).toEqual([id]);
    expect((await service.waybill.asOf(position).queue('moved').tally()).counts.succeeded).toBe(1);
  });

  it('H-02 goes on with the next page at the position of the first, whatever is recorded meanwhile', async () => {
    const queue = await defined('paged');
    for (let at = 0; at < 2; at++) await queue.enqueue(at);
    const { id } = await queue.enqueue('last');
    const [{ recordedAt } = { recordedAt: '' }] = await service.waybill.task(id).history();
    const past = service.waybill.asOf(recordedAt);
    const first = await past.taskPage({ queue: 'paged' }, { limit: 2 });
    expect(first.items).toHaveLength(2);
    const { position } = await queue.enqueue('meanwhile');
    const next = await past.taskPage({ queue: 'paged' }, { limit: 2, cursor: first.nextCursor! });
    expect(next.items).toHaveLength(1);
    expect(next).toMatchObject({ nextCursor: null, asOf: { position: first.asOf!.position } });
    expect(BigInt(first.asOf!.position)).toBeLessThan(BigInt(position!));
  });

  it('H-09 an answer about the last ten seconds says that it is not settled', async () => {
    const { id } = await (await defined('settled')).enqueue('a');
    const [{ recordedAt } = { recordedAt: '' }] = await service.waybill.task(id).history();
    const { asOf } = await service.waybill.asOf(recordedAt).task(id).get();
    const age = Date.now() - Date.parse(recordedAt);
    if (age < 9_000) expect(asOf!.settled).toBe(false);
    expect((await service.waybill.asOf(asOf!.position).task(id).get()).asOf!.settled).toBe(true);
  });

  it('H-04 refuses an order beside a moment, and a queue that did not exist then', async () => {
    const { position } = await (await defined('ordered')).enqueue('a');
    await defined('born-later');
    const get = async (query: string) => (await fetch(`${service.url}/v1/tasks?asOf=${position}&${query}`)).status;
    expect(await get('sort=deadline')).toBe(400);
    expect(await get('cursor=x')).toBe(400);
    const absent = await refusalOf(service.waybill.asOf(position!).taskPage({ queue: 'born-later' }));
    expect(absent).toMatchObject({ code: 'QUEUE_NOT_FOUND', problem: { existsFrom: { at: expect.any(String) } } });
  });
});

describe('a queue as of a moment', () => {
  it('H-01 is what it was, with the policy of then', async () => {
    const queue = service.waybill.queue('policies');
    await queue.define({ leaseMs: 60_000 }, { description: 'Letters' });
    const views: QueueView[] = [await queue.get()];
    await queue.changePolicy({ leaseMs: 90_000 }, { ifVersion: 1 });
    views.push(await queue.get());
    await queue.pause({ reason: 'disk full' });
    views.push(await queue.get());
    await queue.closeIntake();
    views.push(await queue.get());
    for (const view of views) {
      const { asOf, ...past } = await service.waybill.asOf(view.position).queue('policies').get();
      expect(past).toEqual(view);
      expect(asOf).toMatchObject({ position: view.position, notRecorded: [] });
    }
    const { position: deleted } = await queue.delete();
    const past = (position: string) => service.waybill.asOf(position).queue('policies').get();
    expect((await past(views[0]!.position)).policy.leaseMs).toBe(60_000);
    expect((await refusalOf(past(deleted))).code).toBe('QUEUE_NOT_FOUND');
  });
});

describe('a trigger as of a moment', () => {
  it('H-01 is what it was', async () => {
    const trigger = service.waybill.trigger('yearly');
    await defined('reports');
    const task = { queue: 'reports' };
    await trigger.define({ cron: '0 0 1 1 *', timeZone: 'UTC', task });
    const views = [await trigger.get()];
    await trigger.disable();
    views.push(await trigger.get());
    await trigger.define({ cron: '0 0 2 2 *', timeZone: 'UTC', task });
    views.push(await trigger.get());
    for (const view of views) {
      const { asOf, ...past } = await service.waybill.asOf(view.position).trigger('yearly').get();
      expect(past).toEqual(view);
      expect(asOf).toMatchObject({ position: view.position, notRecorded: [] });
    }
  });
});

describe('a hold as of a moment', () => {
  it('H-01 is what it was, but for how many tasks it held', async () => {
    const { holds } = service.waybill;
    await holds.place('rights', { collection: '7', shelf: 'a' }, { reason: 'to be cleared' });
    const views = [await holds.get('rights')];
    await holds.place('rights', { collection: '8' });
    views.push(await holds.get('rights'));
    await holds.lift('rights');
    views.push(await holds.get('rights'));
    await holds.place('rights', { collection: '9' });
    views.push(await holds.get('rights'));
    for (const view of views) {
      const { asOf, ...past } = await service.waybill.asOf(view.position).holds.get('rights');
      expect(past).toEqual({ ...view, holds: null });
      expect(asOf).toMatchObject({ position: view.position, notRecorded: ['holds'] });
    }
    const { position } = await holds.place('later', { collection: '7' });
    const absent = await refusalOf(service.waybill.asOf(views[0]!.position).holds.get('later'));
    expect(absent).toMatchObject({ code: 'HOLD_NOT_FOUND', problem: { existsFrom: { position } } });
  });
});

describe('a resource as of a moment', () => {
  const untold = { state: null, measuredBy: null, needs: [] };

  it('H-01 is what it was, with the last measure that crossed a limit', async () => {
    const { resources } = service.waybill;
    const queue = service.waybill.queue('storing');
    await resources.define('disk', { unit: '%' });
    await queue.define({ steps: [{ name: 'store', needs: [{ resource: 'disk', below: 80 }] }] });
    const views = [await resources.get('disk')];
    await resources.measure('disk', 50);
    views.push(await resources.get('disk'));
    await resources.measure('disk', 91);
    views.push(await resources.get('disk'));
    await resources.define('disk', { unit: 'GB', description: 'Downloads', staleAfterSeconds: 600 });
    views.push(await resources.get('disk'));
    for (const view of views) {
      const { asOf, ...past } = await service.waybill.asOf(view.position).resources.get('disk');
      const measuredAt = view.measuredAt && expect.any(String);
      expect(past).toEqual({ ...view, ...untold, measuredAt });
      expect(asOf).toMatchObject({ position: view.position, notRecorded: ['state', 'measuredBy', 'needs'] });
    }
    expect(views.map(({ value }) => value)).toEqual([null, 50, 91, 91]);
  });

  it('H-04 is not there once it is deleted, and is as long as it is not', async () => {
    const { resources } = service.waybill;
    const { position: defined } = await resources.define('tape', {});
    const { position: deleted } = await resources.delete('tape');
    const past = (position: string) => service.waybill.asOf(position).resources.get('tape');
    expect(await past(defined)).toMatchObject({ name: 'tape', value: null });
    expect((await refusalOf(past(deleted))).code).toBe('RESOURCE_NOT_FOUND');
  });
});

describe('the drain of the system as of a moment', () => {
  it('H-01 is what it was', async () => {
    const { system } = service.waybill;
    const queue = await defined('drained');
    await queue.enqueue();
    const [task] = await queue.claim({ worker: 'w1', leaseMs: 600_000 });
    const { position: before } = await queue.pause();
    const { position: first } = await system.drain({ intake: 'open', reason: 'new disks' });
    const seen = [{ position: first, drain: await system.getDrain() }];
    const { position: second } = await system.drain({ running: 'cancel' });
    seen.push({ position: second, drain: await system.getDrain() });
    await service.waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict: { type: 'succeed' } }]);
    const quiet = await until('nothing to run', async () => {
      const drain = await system.getDrain();
      return drain.drain?.quiescedAt ? drain : null;
    });
    for await (const { position } of system.history({ type: 'SystemQuiesced' })) seen.push({ position, drain: quiet });
    const { position: resumed } = await system.resume();
    seen.push({ position: resumed, drain: { state: 'running', drain: null } });
    for (const { position, drain } of [{ position: before, drain: seen.at(-1)!.drain }, ...seen]) {
      const { asOf, ...past } = await service.waybill.asOf(position).system.getDrain();
      expect(past).toEqual(drain);
      expect(asOf).toMatchObject({ position, notRecorded: [] });
    }
    expect(seen.map(({ drain }) => drain.drain?.running)).toEqual(['finish', 'cancel', 'cancel', undefined]);
  });
});
