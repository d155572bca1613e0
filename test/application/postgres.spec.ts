import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { uuidv7 } from 'uuidv7';
import { ClaimTasks, type ClaimedTask } from '../../src/application/claims/claim-tasks.handler.js';
import { ExtendLeases } from '../../src/application/claims/extend-leases.handler.js';
import { SettleTasks } from '../../src/application/claims/settle-tasks.handler.js';
import { Refused } from '../../src/application/kernel/application-error.js';
import type { CommandContext, Receipt } from '../../src/application/kernel/command-context.js';
import { DefineQueue } from '../../src/application/queues/define-queue.handler.js';
import { OperateQueue } from '../../src/application/queues/operate-queue.handler.js';
import type { PolicyChanges } from '../../src/application/queues/policy-changes.js';
import {
  EnqueueTasks,
  type EnqueueItem,
  type EnqueueOutcome,
} from '../../src/application/tasks/enqueue-tasks.handler.js';
import { OperateTask } from '../../src/application/tasks/operate-task.handler.js';
import { CoreModule } from '../../src/bootstrap/core.module.js';
import { DatabaseClock } from '../../src/infrastructure/database/database-clock.js';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { by } from './application.js';

const admin = by('admin');
const w1 = by('w1');
const succeed = { type: 'succeed' } as const;
const signal = new AbortController().signal;
let database: TestDatabase;
let context: INestApplicationContext;
let queue: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const core = await CoreModule.for({
    databaseUrl: database.url,
    poolSize: 10,
    reads: { poolSize: 4, statementMs: 10_000 },
    roles: [],
  });
  context = await NestFactory.createApplicationContext(core, { logger: ['error'] });
  await context.get(DatabaseClock).start();
});

afterAll(async () => {
  await context.close();
  await database.drop();
});

beforeEach(() => {
  queue = `q-${uuidv7()}`;
});

const execute = <R>(command: Command<R>): Promise<R> => context.get(CommandBus).execute(command);
const define = (policy: PolicyChanges = {}) => execute(new DefineQueue(queue, '', policy, admin));
const item = (more: Partial<EnqueueItem> = {}): EnqueueItem => ({ taskId: uuidv7(), queue, ...more });
const enqueue = (...items: EnqueueItem[]) => execute(new EnqueueTasks(items, by('producer')));
const AT_ONCE = { worker: 'w1', server: 's1', waitMs: 0, leaseMs: null };
const claim = async (max = 1): Promise<readonly ClaimedTask[]> =>
  (await execute(new ClaimTasks({ ...AT_ONCE, queue, max, claimId: uuidv7(), signal, context: w1 }))).tasks;
const settle = (claimedTasks: readonly Pick<ClaimedTask, 'taskId' | 'token'>[]) =>
  execute(
    new SettleTasks(
      claimedTasks.map(({ taskId, token }) => ({ taskId, token, verdict: succeed })),
      w1,
    ),
  );

/** Leaves out the notification of other processes, which is sent beside the work and for many commits at once. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const stop = context.get(PostgresPool).onStatement((text) => statements.push(text));
  await work();
  stop();
  return statements.filter((text) => text.startsWith('waybill_') && text !== 'waybill_notify');
}

describe('the use cases on Postgres', () => {
  it('need one statement to enqueue and one to settle, whatever the size of the batch', async () => {
    // Queues are cached for two seconds, which do not pass here.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    await define();
    await enqueue(item());
    const items = Array.from({ length: 200 }, () => item({ payload: { a: 1 } }));
    expect(await statementsOf(() => enqueue(...items))).toEqual(['waybill_append']);
    const claimedTasks = await claim(200);
    expect(claimedTasks).toHaveLength(200);
    expect(await statementsOf(() => settle(claimedTasks))).toEqual(['waybill_append']);
    clock.mockRestore();
  });

  it('give out nothing while the queue is paused', async () => {
    await define();
    await enqueue(item());
    await execute(new OperateQueue(queue, { type: 'PauseQueue', reason: null, until: null }, admin));
    expect(await claim()).toEqual([]);
    await execute(new OperateQueue(queue, { type: 'ResumeQueue' }, admin));
    expect(await claim()).toHaveLength(1);
  });

  it('accept no other secret in a token', async () => {
    await define();
    await enqueue(item());
    const [claimedTask] = await claim();
    const [number] = claimedTask!.token.split('.');
    const forged = { taskId: claimedTask!.taskId, token: `${number}.${uuidv7()}` };
    const rejection = { code: 'LEASE_LOST', state: 'running', attempt: 1, heldBy: 'w1' };
    expect(await settle([forged])).toEqual([{ kind: 'refused', rejection }]);
    expect(await execute(new ExtendLeases([forged, claimedTask!], w1))).toMatchObject([
      { kind: 'lost' },
      { kind: 'extended' },
    ]);
    expect(await settle([claimedTask!])).toMatchObject([{ kind: 'done', state: 'succeeded' }]);
  });

  it('refuse a retry while another task with the key waits (S0-20)', async () => {
    await define();
    const first = item({ key: 'k' });
    await enqueue(first);
    const [claimedTask] = await claim();
    const verdict = { type: 'fail', error: { message: 'broken' } } as const;
    await execute(new SettleTasks([{ ...claimedTask!, verdict }], w1));
    const second = item({ key: 'k' });
    await enqueue(second);
    const refusal = await execute(
      new OperateTask(first.taskId!, { type: 'RetryTask', step: null, override: false }, admin),
    ).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refused);
    expect(refusal).toMatchObject({
      rejection: { code: 'KEY_ALREADY_WAITING', key: 'k', conflictingTaskId: second.taskId },
    });
  });

  it('recognise a request by its key, even if the command would be refused by now', async () => {
    await define();
    const keyed = by('admin', { idempotencyKey: { key: uuidv7(), fingerprint: 'a' } });
    const first = await execute(new OperateQueue(queue, { type: 'DeleteQueue' }, keyed));
    await define();
    await enqueue(item());
    expect(await execute(new OperateQueue(queue, { type: 'DeleteQueue' }, keyed))).toEqual({
      ...first,
      replayed: true,
    });
  });

  it('enqueue one task for two concurrent requests under one key', async () => {
    await define();
    const keyed = by('producer', { idempotencyKey: { key: uuidv7(), fingerprint: 'a' } });
    const request = () => execute(new EnqueueTasks([item({ taskId: null })], keyed));
    const [[one], [two]] = await Promise.all([request(), request()]);
    expect(one).toMatchObject({ kind: 'done', receipt: { id: (two as { receipt: { id: string } }).receipt.id } });
    expect(await claim(2)).toHaveLength(1);
  });

  describe('carry out one of two concurrent requests under one key, and answer both alike', () => {
    async function expectOnce(request: (context: CommandContext) => Command<Receipt>): Promise<void> {
      const keyed = by('admin', { idempotencyKey: { key: uuidv7(), fingerprint: 'a' } });
      const [one, two] = await Promise.all([execute(request(keyed)), execute(request(keyed))]);
      expect({ ...one, replayed: null }).toEqual({ ...two, replayed: null });
      expect([one.replayed, two.replayed].toSorted()).toEqual([false, true]);
    }

    it('for a task', async () => {
      await define();
      await enqueue(item());
      const [claimedTask] = await claim();
      const verdict = { type: 'fail', error: { message: 'broken' } } as const;
      await execute(new SettleTasks([{ ...claimedTask!, verdict }], w1));
      await expectOnce(
        (context) => new OperateTask(claimedTask!.taskId, { type: 'RetryTask', step: null, override: false }, context),
      );
    });

    it('for a queue', async () => {
      await define();
      await expectOnce((context) => new OperateQueue(queue, { type: 'DeleteQueue' }, context));
    });
  });

  describe('store under an idempotency key', () => {
    const keyed = (fingerprint = 'a', key = uuidv7()) => by('producer', { idempotencyKey: { key, fingerprint } });
    const received = ([outcome]: readonly EnqueueOutcome[]) => outcome;

    it('that a task already existed, even after it has ended', async () => {
      await define();
      await enqueue(item({ key: 'k' }));
      const [request, context] = [[item({ taskId: null, key: 'k' })], keyed()];
      const first = received(await execute(new EnqueueTasks(request, context)));
      expect(first).toMatchObject({ kind: 'done', status: 'existing', receipt: { recorded: false, replayed: false } });
      await settle(await claim());
      const again = received(await execute(new EnqueueTasks(request, context)));
      expect(again).toMatchObject({ status: 'existing', receipt: { ...receiptIn(first), replayed: true } });
      expect(await claim()).toEqual([]);
    });

    it('that a waiting task took over the payload', async () => {
      await define({ duplicatePending: 'replace-payload' });
      await enqueue(item({ key: 'k', payload: 1 }));
      const [request, context] = [[item({ taskId: null, key: 'k', payload: 2 })], keyed()];
      const first = received(await execute(new EnqueueTasks(request, context)));
      const again = received(await execute(new EnqueueTasks(request, context)));
      expect(first).toMatchObject({ status: 'replaced', receipt: { recorded: true } });
      expect(again).toMatchObject({ status: 'replaced', receipt: { ...receiptIn(first), replayed: true } });
    });

    it('that a command had nothing to do, so that its repetition does nothing later', async () => {
      await define();
      const context = keyed();
      expect(await execute(new OperateQueue(queue, { type: 'ResumeQueue' }, context))).toMatchObject({
        recorded: false,
      });
      await execute(new OperateQueue(queue, { type: 'PauseQueue', reason: null, until: null }, admin));
      expect(await execute(new OperateQueue(queue, { type: 'ResumeQueue' }, context))).toMatchObject({
        recorded: false,
        replayed: true,
      });
      await enqueue(item());
      expect(await claim()).toEqual([]);
    });

    it('the whole request: a longer one under the same key has no effect', async () => {
      await define();
      const key = uuidv7();
      await execute(new EnqueueTasks([item({ taskId: null })], keyed('a', key)));
      const longer = [item({ taskId: null }), item({ taskId: null })];
      const outcomes = await execute(new EnqueueTasks(longer, keyed('b', key)));
      const reused = { kind: 'refused', rejection: { code: 'IDEMPOTENCY_KEY_REUSED' } };
      expect(outcomes).toEqual([reused, reused]);
      expect(await claim(3)).toHaveLength(1);
    });

    it('nothing for a key that only looks like that of an item', async () => {
      await define();
      const key = uuidv7();
      await execute(new EnqueueTasks([item({ taskId: null })], keyed('a', key)));
      const other = await execute(new EnqueueTasks([item({ taskId: null })], keyed('b', `${key}#0`)));
      expect(other).toMatchObject([{ kind: 'done', status: 'enqueued' }]);
    });
  });
});

const receiptIn = (outcome: EnqueueOutcome | undefined): object =>
  outcome && 'receipt' in outcome ? { id: outcome.receipt.id, position: outcome.receipt.position } : {};
