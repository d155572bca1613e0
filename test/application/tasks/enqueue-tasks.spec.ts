import { uuidv7 } from 'uuidv7';
import { OperateQueue } from '../../../src/application/queues/operate-queue.handler.js';
import { EventStoreUnavailable } from '../../../src/application/kernel/event-store.port.js';
import type { PolicyChanges } from '../../../src/application/queues/policy-changes.js';
import { OperateTask } from '../../../src/application/tasks/operate-task.handler.js';
import type { EnqueueItem } from '../../../src/application/tasks/enqueue-tasks.handler.js';
import { MemoryEventStore } from '../../support/memory-event-store/memory-event-store.js';
import { by, TestApplication, typesOf } from '../application.js';

const admin = by('admin');
let app: TestApplication;

beforeEach(async () => {
  app = await TestApplication.start();
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Queues are cached for two seconds, which do not pass here. */
const holdTime = (): void => void jest.spyOn(performance, 'now').mockReturnValue(performance.now());

const item = (more: Partial<EnqueueItem> = {}): EnqueueItem => ({ taskId: uuidv7(), queue: 'mail', ...more });

const rejectionOf = async (...items: EnqueueItem[]): Promise<unknown> => {
  const outcome = (await app.enqueue(items)).at(-1)!;
  return outcome.kind === 'refused' ? outcome.rejection : outcome;
};

const payloadOf = async (taskId: string): Promise<unknown> =>
  (await app.eventsOfTask(taskId)).map(({ event }) => (event.data as { payload?: unknown }).payload).at(-1);

describe('enqueueing', () => {
  it("stores the submission with the queue's defaults, without absent fields", async () => {
    await app.defineQueue('mail', { defaultPriority: 5, steps: ['a', 'b'] });
    const task = await app.enqueued({ queue: 'mail', key: 'k', payload: { to: 'ann' } });
    const [enqueued] = await app.eventsOfTask(task);
    expect(enqueued!.event).toEqual({
      type: 'TaskEnqueued',
      version: 1,
      data: { queue: 'mail', kind: 'task', key: 'k', priority: 5, steps: ['a', 'b'], payload: { to: 'ann' } },
    });
    expect(enqueued!.envelope).toEqual({ actor: 'producer', correlationId: 'test', policyVersion: 1 });
  });

  it('can hold a task, or only prepare it', async () => {
    await app.defineQueue('mail');
    const held = await app.enqueued({ queue: 'mail', hold: { reason: 'check' } });
    const prepared = await app.enqueued({ queue: 'mail', prepared: true });
    expect((await app.eventsOfTask(held))[0]!.event.data).toMatchObject({
      heldBy: { by: 'producer', reason: 'check' },
    });
    expect(typesOf(await app.eventsOfTask(prepared))).toEqual(['TaskPrepared']);
  });

  it('needs one append and no read for any number of tasks', async () => {
    holdTime();
    await app.defineQueue('mail');
    await app.enqueue([item()]);
    const { appends, reads } = app.store;
    const outcomes = await app.enqueue(Array.from({ length: 500 }, () => item()));
    expect(outcomes.every(({ kind }) => kind === 'done')).toBe(true);
    expect(app.store).toMatchObject({ appends: appends + 1, reads });
  });

  it('reads nothing for refused tasks without an id', async () => {
    holdTime();
    await app.defineQueue('mail');
    await app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: null }, admin));
    await app.enqueue([item({ taskId: null })]);
    const { reads } = app.store;
    const [outcome] = await app.enqueue([item({ taskId: null })]);
    // One read: the queue again, because the cached one may be outdated.
    expect([outcome!.kind, app.store.reads]).toEqual(['refused', reads + 1]);
  });

  it('keeps the answers of stored tasks if it is unknown whether a refused one is stored', async () => {
    await app.defineQueue('mail');
    jest.spyOn(app.store, 'readStreams').mockImplementation((streams) => {
      if (streams[0]!.startsWith('task-')) return Promise.reject(new EventStoreUnavailable('it is away'));
      return MemoryEventStore.prototype.readStreams.call(app.store, streams);
    });
    const outcomes = await app.enqueue([item(), item({ queue: 'nowhere' })]);
    expect(outcomes).toMatchObject([{ kind: 'done' }, { kind: 'refused', rejection: { code: 'STORE_UNAVAILABLE' } }]);
  });

  it('answers each item independently, in order', async () => {
    await app.defineQueue('mail');
    const outcomes = await app.enqueue([item(), item({ queue: 'nowhere' }), item()]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'refused', 'done']);
  });

  it('chooses an id if none is given', async () => {
    await app.defineQueue('mail');
    const [outcome] = await app.enqueue([item({ taskId: null })]);
    expect(outcome).toMatchObject({
      kind: 'done',
      receipt: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
  });
});

describe('the same id again', () => {
  it('with the same content is the same task', async () => {
    await app.defineQueue('mail');
    const task = item({ payload: 1 });
    const [first] = await app.enqueue([task]);
    const [again] = await app.enqueue([task]);
    expect(first).toMatchObject({ status: 'enqueued', receipt: { id: task.taskId, recorded: true } });
    expect(again).toMatchObject({ status: 'existing', receipt: { id: task.taskId, recorded: false } });
  });

  const withPolicy = (policy: PolicyChanges) => () => app.changePolicy('mail', policy);
  it.each<[string, () => Promise<unknown>]>([
    ['has a closed intake', () => app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: null }, admin))],
    ['is finished', () => app.execute(new OperateQueue('mail', { type: 'FinishQueue' }, admin))],
    ['is deleted', () => app.execute(new OperateQueue('mail', { type: 'DeleteQueue' }, admin))],
    ['has another default priority', withPolicy({ defaultPriority: 5 })],
    ['has steps', withPolicy({ steps: ['a', 'b'] })],
    ['has due times', withPolicy({ dueTimes: { cron: '0 1 * * *', timeZone: 'UTC' } })],
    ['requires a key', withPolicy({ keyRequired: true })],
    ['accepts smaller payloads only', withPolicy({ limits: { payloadBytes: 2 } })],
  ])('is the same task even if the queue %s by now', async (_, change) => {
    await app.defineQueue('mail');
    const task = item({ payload: 'abc' });
    await app.enqueue([task]);
    await app.execute(new OperateTask(task.taskId!, { type: 'AbortTask', reason: null }, admin));
    await change();
    const [again] = await app.enqueue([task]);
    expect(again).toMatchObject({ status: 'existing', receipt: { id: task.taskId, recorded: false, revision: 1 } });
  });

  it('is recognised if the queue changes before the answer to its append arrives', async () => {
    await app.defineQueue('mail');
    const append = app.store.append.bind(app.store);
    jest.spyOn(app.store, 'append').mockImplementationOnce(async (...args) => {
      await append(...args);
      await app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: null }, admin));
      return [{ kind: 'refused', constraint: 'queue-changed' }];
    });
    const [outcome] = await app.enqueue([item({ taskId: null })]);
    expect(outcome).toMatchObject({ kind: 'done', receipt: { revision: 0 } });
  });

  it.each<[string, Partial<EnqueueItem>]>([
    ['another payload', { payload: 2 }],
    ['another queue', { queue: 'post' }],
    ['a key', { key: 'k' }],
    ['another kind', { kind: 'letter' }],
    ['another priority', { priority: 1 }],
    ['a due time', { dueAt: '2999-01-01T00:00:00.000Z' }],
    ['prepared: true', { prepared: true }],
  ])('with %s is refused', async (_, other) => {
    await app.defineQueue('mail');
    await app.defineQueue('post');
    const task = item({ payload: 1 });
    await app.enqueue([task]);
    expect(await app.enqueue([{ ...task, ...other }])).toMatchObject([{ kind: 'refused' }]);
    await app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: null }, admin));
    expect(await app.enqueue([{ ...task, ...other }])).toMatchObject([{ kind: 'refused' }]);
  });
});

describe('a queue refuses', () => {
  it('a task if it does not exist', async () => {
    expect(await rejectionOf(item())).toEqual({ code: 'QUEUE_NOT_FOUND', queue: 'mail' });
  });

  it('every task when it is finished', async () => {
    await app.defineQueue('mail');
    await app.execute(new OperateQueue('mail', { type: 'FinishQueue' }, admin));
    expect(await rejectionOf(item())).toEqual({ code: 'QUEUE_FINISHED', queue: 'mail' });
  });

  it('every task while its intake is closed', async () => {
    await app.defineQueue('mail');
    await app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: 'full' }, admin));
    expect(await rejectionOf(item())).toEqual({ code: 'INTAKE_CLOSED', queue: 'mail', by: 'admin', reason: 'full' });
  });

  it('a task without a required key', async () => {
    await app.defineQueue('mail', { keyRequired: true });
    expect(await rejectionOf(item())).toEqual({ code: 'KEY_REQUIRED', queue: 'mail' });
  });

  it('a task of a kind that it does not accept', async () => {
    const kinds = ['letter', 'card'];
    await app.defineQueue('mail', { kinds });
    for (const kind of kinds) expect(await rejectionOf(item({ kind }))).toMatchObject({ kind: 'done' });
    expect(await rejectionOf(item({ kind: 'task' }))).toEqual({
      code: 'KIND_NOT_ACCEPTED',
      queue: 'mail',
      kind: 'task',
      kinds,
    });
    await app.changePolicy('mail', { kinds: [] });
    expect(await rejectionOf(item({ kind: 'task' }))).toMatchObject({ kind: 'done' });
  });

  it('a payload over its limit, counted in bytes', async () => {
    await app.defineQueue('mail', { limits: { payloadBytes: 12 } });
    expect(await rejectionOf(item({ payload: 'ääääää' }))).toEqual({ code: 'PAYLOAD_TOO_LARGE', bytes: 14, limit: 12 });
    expect(await rejectionOf(item({ payload: 'äääää' }))).toMatchObject({ kind: 'done' });
  });

  it('a payload of more than 256 KiB, unless its policy says otherwise', async () => {
    await app.defineQueue('mail');
    const payload = (bytes: number) => 'x'.repeat(bytes - '""'.length);
    expect(await rejectionOf(item({ payload: payload(262_145) }))).toEqual({
      code: 'PAYLOAD_TOO_LARGE',
      bytes: 262_145,
      limit: 262_144,
    });
    expect(await rejectionOf(item({ payload: payload(262_144) }))).toMatchObject({ kind: 'done' });
  });
});

describe('a queue whose due times have no more occurrences', () => {
  const afterTheLast = '3000-01-01T00:00:00.000Z';

  beforeEach(async () => {
    await app.defineQueue('mail');
    await app.defineQueue('reports', { dueTimes: { cron: '0 12 * * *', timeZone: 'UTC' } });
    app.clock.set(afterTheLast);
  });

  it('refuses tasks without a time of their own, in this queue only', async () => {
    const [report, mail] = await app.enqueue([item({ queue: 'reports' }), item()]);
    expect(report).toEqual({
      kind: 'refused',
      rejection: { code: 'CRON_INVALID', cron: '0 12 * * *', reason: expect.any(String) },
    });
    expect(mail).toMatchObject({ kind: 'done' });
  });

  it('accepts tasks with a time of their own', async () => {
    const [outcome] = await app.enqueue([item({ queue: 'reports', dueAt: afterTheLast })]);
    expect(outcome).toMatchObject({ kind: 'done' });
  });
});

describe('a queue that changed in another process', () => {
  let other: TestApplication;

  beforeEach(async () => {
    other = await TestApplication.start(app.store);
    await app.defineQueue('mail');
    await app.enqueue([item()]);
  });

  it('is used as it is now', async () => {
    await other.changePolicy('mail', { defaultPriority: 9 });
    const task = await app.enqueued({ queue: 'mail' });
    expect((await app.eventsOfTask(task))[0]!.event.data).toMatchObject({ priority: 9 });
    expect((await app.eventsOfTask(task))[0]!.envelope).toMatchObject({ policyVersion: 2 });
  });

  it('refuses a task that it would have accepted before', async () => {
    await other.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: null }, admin));
    expect(await rejectionOf(item())).toMatchObject({ code: 'INTAKE_CLOSED' });
  });

  it('accepts a task that it would have refused before', async () => {
    await app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: null }, admin));
    expect(await rejectionOf(item())).toMatchObject({ code: 'INTAKE_CLOSED' });
    await other.execute(new OperateQueue('mail', { type: 'OpenIntake' }, admin));
    expect(await rejectionOf(item())).toMatchObject({ kind: 'done', status: 'enqueued' });
  });
});

describe('a task that waits for another one of its call, whose queue changed in another process', () => {
  const first = item();
  const second = item({ queue: 'post', after: [{ task: first.taskId! }] });
  const third = item({ queue: 'post', after: [{ task: second.taskId! }] });
  let other: TestApplication;

  beforeEach(async () => {
    holdTime();
    other = await TestApplication.start(app.store);
    await app.defineQueue('mail');
    await app.defineQueue('post');
    await app.enqueue([item(), item({ queue: 'post' })]);
  });

  it('is tried again with it, and so is what waits for it', async () => {
    await other.changePolicy('mail', { defaultPriority: 9 });
    const outcomes = await app.enqueue([third, second, first]);
    expect(outcomes).toMatchObject(Array(3).fill({ kind: 'done', status: 'enqueued' }));
    expect(typesOf(await app.eventsOfTask(second.taskId!))).toEqual(['TaskEnqueued']);
  });

  it('is tried again with it also if that was to replace a payload which was claimed at that moment', async () => {
    await app.changePolicy('mail', { duplicatePending: 'replace-payload' });
    const waiting = await app.enqueued({ queue: 'mail', key: 'k' });
    app.store.afterRefusal = () => app.claimed(waiting, '1');
    const outcomes = await app.enqueue([{ ...first, key: 'k' }, second]);
    expect(outcomes).toMatchObject(Array(2).fill({ kind: 'done', status: 'enqueued' }));
  });

  it('is refused if that is refused', async () => {
    await other.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: null }, admin));
    const outcomes = await app.enqueue([third, second, first]);
    const notFound = (prerequisite: string) => ({ rejection: { code: 'PREREQUISITE_NOT_FOUND', prerequisite } });
    expect(outcomes).toMatchObject([
      notFound(second.taskId!),
      notFound(first.taskId!),
      { rejection: { code: 'INTAKE_CLOSED' } },
    ]);
  });
});

describe('a second task of a key that already waits', () => {
  const first = item({ key: 'k', payload: 1 });
  const second = item({ key: 'k', payload: 2 });

  it('is answered with the waiting task', async () => {
    await app.defineQueue('mail');
    const [, outcome] = await app.enqueue([first, second]);
    expect(outcome).toMatchObject({ status: 'existing', receipt: { id: first.taskId, revision: 0, recorded: false } });
    expect(await app.eventsOfTask(second.taskId!)).toEqual([]);
  });

  it('is refused with the id of the waiting one (S0-16)', async () => {
    await app.defineQueue('mail', { duplicatePending: 'refuse' });
    const rejection = { code: 'KEY_ALREADY_WAITING', key: 'k', conflictingTaskId: first.taskId };
    expect(await rejectionOf(first, second)).toEqual(rejection);
  });

  it('replaces its payload', async () => {
    await app.defineQueue('mail', { duplicatePending: 'replace-payload' });
    const [, outcome] = await app.enqueue([first, second]);
    expect(outcome).toMatchObject({ status: 'replaced', receipt: { id: first.taskId, revision: 1 } });
    expect(await payloadOf(first.taskId!)).toBe(2);
  });

  it('lines up behind it', async () => {
    await app.defineQueue('mail', { duplicatePending: 'allow' });
    const outcomes = await app.enqueue([first, second]);
    expect(outcomes).toMatchObject([{ status: 'enqueued' }, { status: 'enqueued' }]);
  });

  it('is answered with the one that waited when it was refused, also if that was claimed since', async () => {
    await app.defineQueue('mail');
    await app.enqueue([first]);
    app.store.afterRefusal = () => app.claimed(first.taskId!, '1');
    const [outcome] = await app.enqueue([second]);
    const receipt = { id: first.taskId, revision: 1, recorded: false };
    expect(outcome).toMatchObject({ status: 'existing', receipt });
    expect(await app.eventsOfTask(second.taskId!)).toEqual([]);
  });

  it('waits itself if it was to replace a payload that was claimed at that moment', async () => {
    await app.defineQueue('mail', { duplicatePending: 'replace-payload' });
    await app.enqueue([first]);
    app.store.afterRefusal = () => app.claimed(first.taskId!, '1');
    const [outcome] = await app.enqueue([second]);
    expect(outcome).toMatchObject({ status: 'enqueued', receipt: { id: second.taskId } });
    expect(await payloadOf(second.taskId!)).toBe(2);
  });
});

it.each(['open', 'always'] as const)(
  'refuses a reference that is in use, with the policy: %s',
  async (uniqueReference) => {
    await app.defineQueue('mail', { uniqueReference });
    const first = item({ reference: 'r1' });
    const rejection = { code: 'REFERENCE_IN_USE', reference: 'r1', conflictingTaskId: first.taskId, uniqueReference };
    expect(await rejectionOf(first, item({ reference: 'r1' }))).toEqual(rejection);
  },
);

describe('an idempotency key', () => {
  const keyed = (fingerprint: string) => by('producer', { idempotencyKey: { key: 'k1', fingerprint } });
  const tasks = [item({ taskId: null }), item({ taskId: null })];

  it('is taken for every task of the request', async () => {
    await app.defineQueue('mail');
    const first = await app.enqueue(tasks, keyed('a'));
    const again = await app.enqueue(tasks, keyed('a'));
    expect(first.map((outcome) => outcome.kind === 'done' && outcome.receipt.replayed)).toEqual([false, false]);
    expect(again).toEqual(first.map((outcome) => ({ ...outcome, receipt: { ...receiptIn(outcome), replayed: true } })));
  });

  it('is refused for another request', async () => {
    await app.defineQueue('mail');
    await app.enqueue(tasks, keyed('a'));
    const [outcome] = await app.enqueue([item({ taskId: null, payload: 3 })], keyed('b'));
    expect(outcome).toEqual({ kind: 'refused', rejection: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });
});

const receiptIn = (outcome: { kind: string }): object => ('receipt' in outcome ? (outcome.receipt as object) : {});
