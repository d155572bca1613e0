import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { FailureGroupFilter, FailureGroupSummary } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

const CAUSES = {
  refused: { message: 'connect ECONNREFUSED 10.0.0.#:5432', class: 'transient' },
  missing: { message: "No such recipient 'user#@example.com'", class: 'business' },
  broken: {
    message: 'Cannot render letter #',
    class: 'bug',
    details: { stack: 'Error\n    at render (/app/letter.js:10:5)' },
  },
  slow: { message: 'ETIMEDOUT (db-3) after 10# ms', class: 'transient' },
} as const;
type Cause = keyof typeof CAUSES;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  for (const queue of ['mail', 'scan']) await service.as('ann').queue(queue).define({ onFailure: 'fail' });
  await service.as('bob').queue('mail').changePolicy({ leaseMs: 90_000 }, { ifVersion: 1 });
});
afterAll(() => service.stop());

async function listed<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of items) all.push(one);
  return all;
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(`${service.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Answer;
}

interface Claimed {
  readonly taskId: string;
  readonly token: string;
}

/** Enqueues and fails so many tasks, each with a message of its own. Answers with their ids. */
async function fail(queue: string, cause: Cause, count: number, build = 'b1'): Promise<readonly string[]> {
  await post('tasks/batch', { tasks: Array.from({ length: count }, () => ({ queue, kind: `${cause}-kind` })) });
  return failReady(queue, cause, count, build);
}

async function failReady(queue: string, cause: Cause, count: number, build: string): Promise<readonly string[]> {
  const asked = { worker: `worker-${build}`, server: 's', max: count, leaseMs: 60_000, build };
  const { tasks } = await post<{ tasks: readonly Claimed[] }>(`queues/${queue}/claims`, asked);
  const items = tasks.map(({ taskId, token }, at) => {
    const error = { ...CAUSES[cause], message: CAUSES[cause].message.replace('#', String(at)) };
    return { taskId, token, verdict: { type: 'fail', error } };
  });
  await post('settlements', { items });
  return tasks.map(({ taskId }) => taskId);
}

/** The groups once they have what the log says of the queue. */
async function groups(filter: FailureGroupFilter = {}, queue = 'mail') {
  const last = (await listed(service.waybill.events({ queue }))).at(-1)!;
  await service.caughtUp('failure-groups', last.position);
  return listed(service.waybill.failures.list(filter));
}

const named = (all: readonly FailureGroupSummary[], text: string): FailureGroupSummary =>
  all.find(({ message }) => message?.includes(text))!;

const tasksOf = async (group: string) =>
  (await listed(service.waybill.tasks.list({ group, state: 'failed' }))).map(({ id }) => id).sort();

it('D-07 122 failures of three causes are three groups with what preceded them, and retry of one touches only its tasks', async () => {
  await fail('mail', 'missing', 2);
  const held = await service.as('cleo').operate('hold', { filter: { queue: 'mail' } }, { reason: 'look' });
  await service.eventAfter('0', { task: held.id!, type: 'TaskSucceeded' });
  const refused = await fail('mail', 'refused', 80, 'b2');
  const broken = [...(await fail('mail', 'broken', 30, 'b2')), ...(await fail('scan', 'broken', 5, 'b3'))];
  const missing = await fail('mail', 'missing', 5, 'b2');

  const all = await groups({ order: 'most' });
  expect(
    all.map(({ failedTasks, failedAttempts, class: of, queues }) => [failedTasks, failedAttempts, of, queues]),
  ).toEqual([
    [80, 80, 'transient', ['mail']],
    [35, 35, 'bug', ['mail', 'scan']],
    [7, 7, 'business', ['mail']],
  ]);
  const group = named(all, 'ECONNREFUSED');
  expect(await tasksOf(group.id)).toEqual([...refused].sort());
  expect(await tasksOf(named(all, 'letter').id)).toEqual([...broken].sort());
  expect(await tasksOf(named(all, 'recipient').id)).toEqual(expect.arrayContaining([...missing]));

  const view = await service.waybill.failures.get(group.id);
  expect(view).toMatchObject({
    state: 'open',
    frame: null,
    examples: [...refused]
      .sort()
      .reverse()
      .slice(0, 5)
      .map((task) => ({ task, queue: 'mail', kind: 'refused-kind' })),
    kinds: [{ name: 'refused-kind', count: 80 }],
    workers: [{ name: 'worker-b2', count: 80 }],
    workerCount: 1,
    builds: ['b2'],
    preceded: {
      build: { queue: 'mail', build: 'b2' },
      policy: { queue: 'mail', version: 2, by: 'bob' },
      operation: { id: held.id, command: 'hold', by: 'cleo' },
    },
  });
  expect(view.hours.reduce((sum, { failedTasks }) => sum + failedTasks, 0)).toBe(80);
  const { minutes } = view;
  expect(minutes!.reduce((sum, { failedTasks, failedAttempts }) => sum + failedTasks + failedAttempts, 0)).toBe(160);
  expect(minutes!.map(({ at }) => at.slice(16))).toEqual(minutes!.map(() => ':00.000Z'));
  const head = (await listed(service.waybill.events({ queue: 'scan' }))).at(-1)!.position;
  expect((await service.waybill.asOf(head).failures.get(group.id)).minutes).toEqual(minutes);
  expect((await service.waybill.task(refused[0]!).get()).failureGroup).toBe(group.id);
  expect((await service.waybill.asOf(head).task(refused[0]!).get()).failureGroup).toBe(group.id);
  const ofBroken = await service.waybill.failures.get(named(all, 'letter').id, { queue: 'scan' });
  expect(ofBroken).toMatchObject({ failedTasks: 5, queues: ['scan'], frame: 'render letter.js', builds: ['b3'] });

  const retried = await service.as('dan').operate('retry', { filter: { group: group.id, state: 'failed' } });
  expect(retried.count).toBe(80);
  await service.eventAfter('0', { task: retried.id!, type: 'TaskSucceeded' });
  const touched = await listed(service.waybill.events({ type: 'TaskRetried' }));
  expect(touched.map(({ stream }) => stream.slice('task-'.length)).sort()).toEqual([...refused].sort());
});

it('a group is resolved, comes back by an event on which a trigger fires, and says what repaired it', async () => {
  const { id } = named(await groups(), 'recipient');
  await service
    .as('ann')
    .trigger('came-back')
    .define({
      event: { types: ['FailureGroupReturned'] },
      task: { queue: 'scan', kind: 'alarm' },
    } as never);
  await service.as('ann').failures.resolve(id, { build: 'b9', reason: 'addresses are checked' });
  const resolved = await service.waybill.failures.get(id, { minPosition: await positionOf('FailureGroupResolved') });
  expect(resolved).toMatchObject({
    state: 'resolved',
    said: { by: 'ann', reason: 'addresses are checked' },
    lastRepair: { build: 'b9' },
  });

  await service.waybill.queue('mail').pause();
  await service.waybill.queue('mail').resume();
  await fail('mail', 'missing', 1, 'b2');
  await service.caughtUp('reopen-returned-failures', await lastPosition('mail'));
  expect(named(await groups(), 'recipient')).toMatchObject({ state: 'resolved', returns: 0 });

  const [task] = await fail('mail', 'missing', 1, 'b9');
  const { position } = await service.eventAfter('0', { type: 'FailureGroupReturned' });
  const back = await service.waybill.failures.get(id, { minPosition: position });
  expect(back).toMatchObject({
    state: 'open',
    returns: 1,
    said: null,
    lastRepair: { build: 'b9', by: 'ann' },
    returned: { task, queue: 'mail' },
  });
  await service.eventAfter(position, { queue: 'scan', type: 'TaskEnqueued' });
});

it('a group is resolved by the operation that repaired it', async () => {
  const { id } = named(await groups(), 'recipient');
  const operation = await service.as('dan').operate('retry', { filter: { group: id, state: 'failed' } });
  await service.as('ann').failures.resolve(id, { operation: operation.id! });
  const resolved = await service.waybill.failures.get(id, { minPosition: await positionOf('FailureGroupResolved') });
  expect(resolved).toMatchObject({
    state: 'resolved',
    lastRepair: { by: 'ann', build: null, operation: operation.id },
  });
  await service.as('ann').failures.reopen(id);
});

it('D-01 a group says how many tasks are failed with it now: without those that were retried or aborted, and with those that an undo brought back', async () => {
  await service.as('ann').queue('sms').define({ onFailure: 'fail' });
  const [first, second, third] = await fail('sms', 'missing', 3);
  const { id } = named(await groups({ queue: 'sms' }, 'sms'), 'recipient');
  const failedNow = async (): Promise<number | null> => {
    await groups({}, 'sms');
    return (await service.waybill.failures.get(id, { queue: 'sms' })).failedNow;
  };
  expect(await failedNow()).toBe(3);
  await service.waybill.task(first!).retry();
  await service.waybill.task(second!).abort();
  expect(await failedNow()).toBe(1);
  await failReady('sms', 'missing', 1, 'b2');
  expect(await failedNow()).toBe(2);
  const retried = await service.waybill.operate('retry', { tasks: [first!, third!] });
  await service.eventAfter('0', { task: retried.id!, type: 'TaskSucceeded' });
  expect(await failedNow()).toBe(0);
  const undone = await service.waybill.undo(retried.id!);
  await service.eventAfter('0', { task: undone.id!, type: 'TaskSucceeded' });
  expect(await failedNow()).toBe(2);
  const { position } = (await listed(service.waybill.events({ queue: 'sms' }))).at(-1)!;
  const then = await service.waybill.asOf(position).failures.get(id, { queue: 'sms' });
  expect(then).toMatchObject({ failedNow: null, asOf: { notRecorded: ['failedNow', 'title'] } });
});

it('a group keeps its title once none of its tasks is failed, also if the newest message was erased', async () => {
  await service.as('ann').queue('fax').define({ onFailure: 'fail' });
  const tasks = await fail('fax', 'slow', 3);
  const titles = async () => {
    const [summary] = await groups({ queue: 'fax' }, 'fax');
    const { title, message } = await service.waybill.failures.get(summary!.id);
    expect(summary).toMatchObject({ title, message });
    return { title, message };
  };
  expect(await titles()).toEqual({
    title: 'ETIMEDOUT (db-3) after … ms',
    message: expect.stringMatching(/^ETIMEDOUT \(db-3\) after 10\d ms$/),
  });
  for (const task of tasks) await service.waybill.task(task).abort();
  await service.waybill.task(tasks[0]!).delete();
  const ended = await titles();
  expect(ended).toEqual({ title: 'ETIMEDOUT (db-3) after … ms', message: expect.stringContaining('db-3') });
  await eraseTheLast();
  expect(await titles()).toEqual({ title: 'ETIMEDOUT (db-3) after … ms', message: null });
});

async function eraseTheLast(): Promise<void> {
  const [{ lastTask }] = (await groups({ queue: 'fax' }, 'fax')) as [FailureGroupSummary];
  const { id } = await service.as('ann').erase({ task: lastTask }, 'asked for');
  await service.eventAfter('0', { task: id!, type: 'TaskSucceeded' });
}

it('a group is ignored and reopened, and refuses what is not there', async () => {
  const { id } = named(await groups(), 'letter');
  await service.as('ann').failures.ignore(id);
  await fail('mail', 'broken', 1);
  await service.caughtUp('reopen-returned-failures', await lastPosition('mail'));
  expect((await groups({ state: 'ignored' })).map((one) => one.id)).toEqual([id]);
  await service.as('ann').failures.reopen(id, { reason: 'too many' });
  const minPosition = await positionOf('FailureGroupReopened');
  expect(await service.waybill.failures.get(id, { minPosition })).toMatchObject({
    state: 'open',
    said: { reason: 'too many' },
  });

  const unknown = 'g000000000000000';
  const { failures } = service.waybill;
  expect(await refusalOf(failures.get(unknown))).toMatchObject({ code: 'FAILURE_GROUP_NOT_FOUND', status: 404 });
  expect(await refusalOf(failures.resolve(unknown))).toMatchObject({ code: 'FAILURE_GROUP_NOT_FOUND' });
  expect(await refusalOf(failures.resolve('x'))).toMatchObject({ code: 'INVALID_INPUT', status: 400 });
  const [task] = await listed(service.waybill.tasks.list({ queue: 'mail' }, { limit: 1 }));
  expect(await refusalOf(failures.resolve(id, { operation: task!.id }))).toMatchObject({ code: 'OPERATION_NOT_FOUND' });
  expect(await refusalOf(service.waybill.tasks.page({ group: 'x' }))).toMatchObject({ code: 'INVALID_INPUT' });
});

const lastPosition = async (queue: string) => (await listed(service.waybill.events({ queue }))).at(-1)!.position;

const positionOf = async (type: 'FailureGroupResolved' | 'FailureGroupReopened') =>
  (await listed(service.waybill.events({ type }))).at(-1)!.position;
