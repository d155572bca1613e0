import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActivityItem, ActivityOptions, EventOptions, EventView, QueueHandle, TaskFilter } from '@waybill/client';
import { cliOutput, jsonLines, runCli } from '../../support/run-cli.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function listed<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of items) all.push(one);
  return all;
}

describe('the versions of a policy', () => {
  let queue: QueueHandle;
  beforeAll(async () => {
    await service.as('ann').queue('mail').define({ leaseMs: 60_000 }, { description: 'Letters', reason: 'new' });
    queue = service.waybill.queue('mail');
    await service.as('bob').queue('mail').changePolicy({ leaseMs: 90_000 }, { ifVersion: 1, reason: 'slow printer' });
    await service
      .as('cleo')
      .queue('mail')
      .changePolicy({ retry: { maxAttempts: 7 } }, { ifVersion: 2 });
  });

  it('are listed with who made them, when, why, and what they changed', async () => {
    const versions = await listed(queue.versions());
    expect(
      versions.map(({ version, outcome, by, reason, changes }) => [version, outcome, by, reason, changes]),
    ).toEqual([
      [3, 'changed', 'cleo', null, [{ field: 'retry.maxAttempts', from: 3, to: 7 }]],
      [2, 'changed', 'bob', 'slow printer', [{ field: 'leaseMs', from: 60_000, to: 90_000 }]],
      [1, 'defined', 'ann', 'new', []],
    ]);
    const history = await listed(service.waybill.events({ queue: 'mail', category: 'queue' }));
    expect(versions.map(({ position, at }) => [position, at])).toEqual(
      history.map(({ position, recordedAt }) => [position, recordedAt]).reverse(),
    );
    expect(versions[1]!.policy).toMatchObject({ leaseMs: 90_000, retry: { maxAttempts: 3 } });
    expect(await listed(queue.versions({ limit: 1 }))).toEqual(versions);
  });

  it('are compared', async () => {
    expect(await queue.diff(1, 3)).toEqual({
      queue: 'mail',
      from: 1,
      to: 3,
      changes: [
        { field: 'retry.maxAttempts', from: 3, to: 7 },
        { field: 'leaseMs', from: 60_000, to: 90_000 },
      ],
    });
    expect((await queue.diff(2, 2)).changes).toEqual([]);
    expect(await refusalOf(queue.diff(1, 9))).toMatchObject({ code: 'INVALID_INPUT', status: 400 });
    expect((await refusalOf(service.waybill.queue('nowhere').blame())).code).toBe('QUEUE_NOT_FOUND');
  });

  it('H-18 blame for each field the version, actor, time and reason that set it', async () => {
    const { version, fields } = await queue.blame();
    expect(version).toBe(3);
    const history = await listed(service.waybill.events({ queue: 'mail', category: 'queue' }));
    const setBy = (field: string) => fields.find((one) => one.field === field)!.setBy;
    const made = (at: number, of: object) => ({
      ...of,
      version: at + 1,
      at: history[at]!.recordedAt,
      position: history[at]!.position,
    });
    expect(setBy('leaseMs')).toEqual(made(1, { by: 'bob', reason: 'slow printer' }));
    expect(setBy('retry.maxAttempts')).toEqual(made(2, { by: 'cleo', reason: null }));
    expect(setBy('retry.classes')).toEqual(made(0, { by: 'ann', reason: 'new' }));
    expect(setBy('description')).toEqual(made(0, { by: 'ann', reason: 'new' }));
    const { policy } = await queue.get();
    for (const field of Object.keys(policy)) expect(fields.some((one) => one.field.split('.')[0] === field)).toBe(true);
  });

  it('are as of a moment those that there were, as is who had set each field', async () => {
    const all = await listed(queue.versions());
    const then = service.waybill.asOf(all[1]!.position).queue('mail');
    expect(await listed(then.versions({ limit: 1 }))).toEqual(all.slice(1));
    const { version, fields, asOf } = await then.blame();
    expect([version, asOf!.position]).toEqual([2, all[1]!.position]);
    const setBy = (field: string) => fields.find((one) => one.field === field)!.setBy!.version;
    expect(['leaseMs', 'retry.maxAttempts'].map(setBy)).toEqual([2, 1]);
    const told = await runCli(service.url, `queue versions mail --as-of ${all[1]!.position} --json`);
    expect(jsonLines(told.out)).toEqual(all.slice(1));
    expect(told.err).toContain(`position ${all[1]!.position}`);
    const blamed = await cliOutput(service.url, `queue blame mail --as-of ${all[1]!.position} --json`);
    expect(jsonLines(blamed)).toMatchObject([{ version: 2 }]);
  });

  it('go on when the queue is defined anew, which sets every field', async () => {
    const again = service.as('dora').queue('again');
    await again.define({ leaseMs: 60_000 });
    await again.delete();
    await again.define({ leaseMs: 60_000 }, { reason: 'once more' });
    expect((await listed(again.versions())).map(({ version, outcome }) => [version, outcome])).toEqual([
      [2, 'defined'],
      [1, 'defined'],
    ]);
    const { fields } = await again.blame();
    expect(new Set(fields.map(({ setBy }) => setBy!.version))).toEqual(new Set([2]));
  });
});

describe('what was decided under a version', () => {
  it('H-19 is listed between two times, and the filter of an operation', async () => {
    const queue = service.waybill.queue('ruled');
    await queue.define({ onFailure: 'fail' });
    const failed = async () => {
      const { id } = await queue.enqueue('a');
      const [claimed] = await queue.claim({ worker: 'w1' });
      const error = { message: 'no', class: 'business' } as const;
      await service.waybill.settle([{ taskId: id, token: claimed!.token, verdict: { type: 'fail', error } }]);
      return id;
    };
    const first = await failed();
    await queue.changePolicy({ leaseMs: 45_000 }, { ifVersion: 1 });
    const second = await failed();
    const under = (policyVersion: number, range: { since?: string; until?: string } = {}) =>
      listed(service.waybill.events({ queue: 'ruled', type: 'TaskFailed', policyVersion, ...range }));
    const tasks = (events: readonly EventView[]) => events.map(({ stream }) => stream.slice('task-'.length));
    expect(tasks(await under(1))).toEqual([first]);
    expect(tasks(await under(2))).toEqual([second]);
    const [{ recordedAt } = { recordedAt: '' }] = await under(1);
    expect(await under(1, { until: recordedAt })).toEqual([]);
    expect(tasks(await under(1, { since: recordedAt, until: 'now' }))).toEqual([first]);
    await service.waybill.operate('retry', { tasks: tasks(await under(1)) }, { reason: 'version 1 was wrong' });
    await service.eventAfter('0', { task: first, type: 'TaskRetried' });
    expect((await service.waybill.task(second).get()).state).toBe('failed');
  });
});

describe('the activity', () => {
  const shown = ({ by, type, subject, reason, count }: ActivityItem) => [by, type, subject, reason, count];
  const all = (options: ActivityOptions = {}) => listed(service.waybill.activity(options));

  it('has the commands that people gave, and no work', async () => {
    const ann = service.as('erin');
    const queue = ann.queue('acted');
    await queue.define({}, { reason: 'for letters' });
    const { id } = await queue.enqueue('a');
    const [claimed] = await queue.claim({ worker: 'w1' });
    await ann.settle([{ taskId: id, token: claimed!.token, verdict: { type: 'succeed' } }]);
    const held = await queue.enqueue('b');
    await ann.task(held.id).hold({ reason: 'wait' });
    await queue.pause({ reason: 'disk full' });
    await queue.resume();
    await ann.holds.place('legal', { customer: 'a' });
    const { id: batch } = await ann.createBatch({ name: 'maps' });
    expect((await all({ actor: 'erin' })).map(shown)).toEqual([
      ['erin', 'BatchCreated', batch, null, 1],
      ['erin', 'HoldPlaced', 'legal', null, 1],
      ['erin', 'QueueResumed', 'acted', null, 1],
      ['erin', 'QueuePaused', 'acted', 'disk full', 1],
      ['erin', 'TaskHeld', held.id, 'wait', 1],
      ['erin', 'QueueDefined', 'acted', 'for letters', 1],
    ]);
  });

  it('is paged in both directions, and filtered by kind, type and queue', async () => {
    const newest = await all();
    for (const limit of [1, 2, 100]) {
      expect(await all({ limit })).toEqual(newest);
      expect(await all({ limit, order: 'oldest' })).toEqual([...newest].reverse());
    }
    const of = (options: ActivityOptions) => all({ actor: 'erin', ...options });
    expect((await of({ category: 'hold' })).map(({ type }) => type)).toEqual(['HoldPlaced']);
    expect((await of({ type: 'QueuePaused' })).map(({ reason }) => reason)).toEqual(['disk full']);
    expect((await of({ queue: 'acted', order: 'oldest' })).map(({ type }) => type)).toEqual([
      'QueueDefined',
      'TaskHeld',
      'QueuePaused',
      'QueueResumed',
    ]);
    const paused = (await of({ type: 'QueuePaused' }))[0]!;
    expect((await of({ since: paused.at, queue: 'acted' })).at(-1)!.type).toBe('QueuePaused');
    expect((await of({ until: paused.at, queue: 'acted' }))[0]!.type).toBe('TaskHeld');
  });

  it('shows an operation, and its tasks as one', async () => {
    const fay = service.as('fay');
    const queue = service.waybill.queue('many');
    await queue.define();
    for (let at = 0; at < 3; at++) await queue.enqueue(at);
    const { id } = await fay.operate('cancel', { filter: { queue: 'many' } }, { reason: 'wrong file' });
    await service.eventAfter('0', { task: id!, type: 'TaskSucceeded' });
    const items = await all({ actor: 'fay' });
    expect(items.map(shown)).toEqual([
      ['fay', 'TaskCancelled', expect.any(String), 'wrong file', 3],
      ['fay', 'TaskEnqueued', id, 'wrong file', 1],
    ]);
    expect(items[1]).toMatchObject({ queue: 'waybill.operations' });
    expect(await all({ actor: 'fay', order: 'oldest' })).toEqual([...items].reverse());
  });

  it('has what people said of a failure, and that they held, stopped or ordered what the service carries out', async () => {
    const kim = service.as('kim');
    const queue = service.waybill.queue('failing');
    await queue.define({ onFailure: 'fail' });
    await queue.enqueue('a');
    const [task] = await queue.claim({ worker: 'w1', waitMs: 30_000 });
    const error = { class: 'bug' as const, message: 'no printer' };
    await service.waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict: { type: 'fail', error } }]);
    const [group] = await listed(service.waybill.failures.list({ queue: 'failing' }));
    await kim.failures.resolve(group!.id, { reason: 'a new printer' });
    await kim.failures.reopen(group!.id, { reason: 'it is broken, too' });
    await kim.failures.ignore(group!.id, { reason: 'nobody prints' });
    const canary = { first: 1, goOnIf: 1 };
    const order = await kim.operate('retry', { filter: { queue: 'failing' } }, { canary, reason: 'try it' });
    await service.eventAfter('0', { task: order.id!, type: 'TaskClaimed' });
    await kim.task(order.id!).abort({ reason: 'wrong queue' });
    const items = (await all({ actor: 'kim' })).filter(({ type }) => type !== 'TaskRetried');
    expect(items.map(shown)).toEqual([
      ['kim', 'TaskAborted', order.id, 'wrong queue', 1],
      ['kim', 'TaskEnqueued', order.id, 'try it', 1],
      ['kim', 'FailureGroupIgnored', group!.id, 'nobody prints', 1],
      ['kim', 'FailureGroupReopened', group!.id, 'it is broken, too', 1],
      ['kim', 'FailureGroupResolved', group!.id, 'a new printer', 1],
    ]);
    expect((await all({ actor: 'kim', category: 'failure' })).length).toBe(3);
  });

  it('refuses a cursor of another list, and an order that there is none', async () => {
    const get = async (query: string) => (await fetch(`${service.url}/v1/activity?${query}`)).status;
    const { nextCursor } = await service.waybill.activityPage({ limit: 1 });
    expect(await get(`limit=1&cursor=${nextCursor}`)).toBe(200);
    expect(await get(`limit=1&order=oldest&cursor=${nextCursor}`)).toBe(400);
    expect(await get('order=best')).toBe(400);
    expect(await get('cursor=x')).toBe(400);
  });
});

describe('the history of one thing', () => {
  const typesOf = async (options: EventOptions) =>
    (await listed(service.waybill.events(options))).map(({ type }) => type);

  it('is read by its kind and its name, also after it was deleted', async () => {
    const gus = service.as('gus');
    await gus.holds.place('audit', { customer: 'b' });
    await gus.holds.place('other', { customer: 'c' });
    await service.as('ida').holds.lift('audit');
    expect(await typesOf({ category: 'hold', name: 'audit' })).toEqual(['HoldPlaced', 'HoldLifted']);
    expect(await typesOf({ category: 'hold', name: 'audit', actor: 'ida' })).toEqual(['HoldLifted']);
    const { id: batch } = await gus.createBatch({ name: 'roads' });
    expect(await typesOf({ category: 'batch', name: batch })).toEqual(['BatchCreated']);
    expect(await typesOf({ category: 'batch', name: batch, until: '1h' })).toEqual([]);
  });

  it('is refused for a name that never existed, and for kinds that have no names', async () => {
    const refused = (options: EventOptions) => refusalOf(typesOf(options));
    expect(await refused({ category: 'trigger', name: 'nightyl' })).toMatchObject({ code: 'TRIGGER_NOT_FOUND' });
    expect(await refused({ category: 'hold', name: 'nightly' })).toMatchObject({ code: 'HOLD_NOT_FOUND' });
    expect(await refused({ name: 'audit' })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await refused({ category: 'system', name: 'audit' })).toMatchObject({ code: 'INVALID_INPUT' });
    const task = '019a7f3e-0000-7000-8000-000000000000';
    expect(await refused({ category: 'hold', name: 'audit', task })).toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('tasks by the version that decided about them', () => {
  it('H-19 are listed between two times, and are the filter of an operation', async () => {
    const queue = service.waybill.queue('governed');
    await queue.define();
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) ids.push((await queue.enqueue(at)).id);
    await queue.changePolicy({ leaseMs: 45_000 }, { ifVersion: 1 });
    const later = await queue.enqueue('later');
    await service.waybill.task(ids[0]!).hold();
    const listOf = async (filter: TaskFilter, options = {}) =>
      (await listed(service.waybill.tasks.list({ queue: 'governed', ...filter }, options))).map(({ id }) => id);
    expect(await listOf({ policyVersion: 1 }, { limit: 2 })).toEqual(ids);
    expect(await listOf({ policyVersion: 2 })).toEqual([ids[0], later.id].sort());
    expect(await listOf({ policyVersion: 1, state: 'held' })).toEqual([ids[0]]);
    expect(await listOf({ policyVersion: 3 })).toEqual([]);
    const [{ recordedAt } = { recordedAt: '' }] = await service.waybill.task(later.id).history();
    expect(await listOf({ policyVersion: 2, decidedUntil: recordedAt })).toEqual([]);
    expect(await listOf({ policyVersion: 2, decidedSince: new Date(recordedAt), decidedUntil: 'now' })).toContain(
      later.id,
    );
    expect(await listOf({ policyVersion: 1, decidedSince: recordedAt })).toEqual([]);
    expect(await listOf({ policyVersion: 1, decidedSince: '1d' })).toEqual(ids);
    const which = {
      filter: { queue: 'governed', policyVersion: 1, decidedUntil: recordedAt, state: 'pending' },
    } as const;
    expect(await service.waybill.operate('cancel', which, { preview: true })).toMatchObject({ count: 2 });
    const { id } = await service.waybill.operate('cancel', which);
    await service.eventAfter('0', { task: id!, type: 'TaskSucceeded' });
    expect(await listOf({ state: 'cancelled' })).toEqual(ids.slice(1));
    expect(await listOf({ state: 'pending' })).toEqual([later.id]);
  });

  it('H-04 are refused without a queue or a version, as of a moment, and in the future', async () => {
    await service.waybill.queue('ungoverned').define();
    const refused = async (query: string) => {
      const answer = await fetch(`${service.url}/v1/tasks?${query}`);
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    const invalid = [400, 'INVALID_INPUT'];
    const of = 'queue=ungoverned&policyVersion=1';
    expect(await refused('policyVersion=1')).toEqual(invalid);
    expect(await refused('queue=ungoverned&decidedSince=1h')).toEqual(invalid);
    expect(await refused(`${of}&asOf=1`)).toEqual(invalid);
    expect(await refused(`${of}&decidedSince=2999-01-01T00:00:00Z`)).toEqual(invalid);
    expect(await refused(`${of}&decidedUntil=2999-01-01T00:00:00Z`)).toEqual(invalid);
    expect(await refused('queue=nowhere&policyVersion=1')).toEqual([404, 'QUEUE_NOT_FOUND']);
    const order = service.waybill.operate('cancel', { filter: { policyVersion: 1 } });
    expect((await refusalOf(order)).code).toBe('INVALID_INPUT');
  });
});
