import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { copyOf } from '../../src/application/batches/rerun-ids.js';
import type { AppendItem } from '../../src/application/kernel/event-store.port.js';
import type { DomainEvent } from '../../src/domain/kernel/decider.js';
import { taskIdOf } from '../../src/domain/task/task.stream.js';
import { createDataSource } from '../../src/infrastructure/database/data-source.js';
import { encodeCursor, InvalidCursor } from '../../src/projections/kernel/cursor.js';
import type { EventLog } from '../../src/projections/kernel/event-log.port.js';
import type { Page } from '../../src/projections/kernel/page.js';
import { GetProjectionLagHandler } from '../../src/projections/lag/lag.queries.js';
import {
  GetQueueStats,
  GetQueueStatsHandler,
  ListQueueStats,
  ListQueueStatsHandler,
} from '../../src/projections/queue-stats/queue-stats.queries.js';
import { SummariseQueues, SummariseQueuesHandler } from '../../src/projections/queue-stats/queue-summaries.query.js';
import {
  GetQueue,
  GetQueueHandler,
  ListQueues,
  ListQueuesHandler,
} from '../../src/projections/queues/queues.queries.js';
import { ENTITIES, FOLLOWED } from '../../src/projections/read-models.js';
import { GetTaskHistory, GetTaskHistoryHandler } from '../../src/projections/tasks/get-task-history.query.js';
import { groupBy } from '../../src/projections/kernel/grouping.js';
import { GetTask, GetTaskHandler } from '../../src/projections/tasks/get-task.query.js';
import { ListTasks, ListTasksHandler, type TaskFilter } from '../../src/projections/tasks/list-tasks.query.js';
import { ListWorkers, ListWorkersHandler } from '../../src/projections/worker-roster/worker-roster.queries.js';
import { projector, type Projector } from '../infrastructure/projection-engine/roles.js';
import { claim, defineQueue, enqueue, enqueued, failed, item, succeeded } from '../support/events.js';
import { DecidedTasks } from '../../src/projections/tasks/decided-tasks.js';
import { openPostgresStore, type PostgresFixture } from '../support/postgres-store.js';

const IN_TIME = 120_000;

const NIL = '00000000-0000-0000-0000-000000000000';

const idOf = ({ stream }: AppendItem): string => taskIdOf(stream);

describe('queries', () => {
  let db: PostgresFixture;
  let reading: DataSource;
  let followers: Projector;

  beforeAll(async () => {
    db = await openPostgresStore();
    reading = await createDataSource(db.url, ENTITIES).initialize();
    followers = projector(db.pool, db.store, FOLLOWED);
    followers.engine.start();
  });
  afterAll(async () => {
    await followers.stop();
    await reading.destroy();
    await db.close();
  });

  const append = async (...items: AppendItem[]): Promise<void> => {
    for (const result of await db.store.append(items)) expect(result.kind).toBe('appended');
  };
  const onQueue = (queue: string, event: DomainEvent, revision = 0): Promise<void> =>
    append(item(`queue-${queue}`, revision, [event]));

  async function settled(task: AppendItem, events: (token: string) => readonly DomainEvent[]): Promise<void> {
    const { item: claimed, token, secret } = claim(task);
    await append(claimed);
    await append(item(task.stream, 1, events(token), { lease: { token, secret } }));
  }

  const grouping = { groupOf: groupBy() };
  const task = (id: string) => new GetTaskHandler(reading, db.store, grouping).execute(new GetTask(id, copyOf));
  const list = (filter: TaskFilter, cursor: string | null = null, limit = 10) =>
    new ListTasksHandler(reading, new DecidedTasks({} as never)).execute(new ListTasks(filter, cursor, limit));
  const queues = (cursor: string | null, limit: number) =>
    new ListQueuesHandler(reading).execute(new ListQueues(cursor, limit));
  const workers = (cursor: string | null, limit: number) =>
    new ListWorkersHandler(reading).execute(new ListWorkers(cursor, limit));

  async function everyName(pageAt: (cursor: string | null) => Promise<Page<{ readonly name: string }>>) {
    const names: string[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await pageAt(cursor);
      names.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    return names;
  }

  const ids = async (filter: TaskFilter) => (await list(filter)).items.map(({ id }) => id);

  it('show a task with the fields that only its stream has', async () => {
    const submitted = enqueue('details', {
      payload: { to: 'ann' },
      labels: { team: 'blue' },
      priority: 3,
      description: 'A letter',
    });
    await append(defineQueue('details'), submitted);
    const amended = { queue: 'details', payload: { to: 'bob' }, previous: { to: 'ann' } };
    await append(item(submitted.stream, 0, [{ type: 'TaskPayloadAmended', version: 1, data: amended }]));
    expect(await task(idOf(submitted))).toMatchObject({
      id: idOf(submitted),
      queue: 'details',
      state: 'pending',
      waitingFor: 'worker',
      kind: 'task',
      priority: 3,
      labels: { team: 'blue' },
      description: 'A letter',
      payload: { to: 'bob' },
      result: null,
      steps: [],
      attempt: 0,
      worker: null,
      error: null,
      startedAt: null,
      finishedAt: null,
      revision: 1,
    });
    const { item: claimed, token, secret } = claim(submitted, { expected: 1 });
    await append(claimed);
    await append(
      item(submitted.stream, 2, [succeeded('details', token, { result: { sent: true } })], {
        lease: { token, secret },
      }),
    );
    expect(await task(idOf(submitted))).toMatchObject({
      state: 'succeeded',
      waitingFor: null,
      worker: 'w1',
      attempt: 1,
      result: { sent: true },
      finishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('answer null for a task or a queue that does not exist', async () => {
    const nobody = '019a0000-0000-7000-8000-000000000000';
    expect(await task(nobody)).toBeNull();
    expect(await new GetTaskHistoryHandler(db.store).execute(new GetTaskHistory(nobody))).toBeNull();
    expect(await new GetQueueHandler(reading).execute(new GetQueue('nowhere'))).toBeNull();
    expect(await new GetQueueStatsHandler(reading).execute(new GetQueueStats('nowhere'))).toBeNull();
  });

  it("show a task's history from the log, with envelopes", async () => {
    const broken = enqueue('history');
    await append(defineQueue('history'), broken);
    await settled(broken, (token) => failed('history', token));
    const history = await new GetTaskHistoryHandler(db.store).execute(new GetTaskHistory(idOf(broken)));
    expect(history!.map(({ type, revision }) => `${revision} ${type}`)).toEqual([
      '0 TaskEnqueued',
      '1 TaskClaimed',
      '2 TaskAttemptFailed',
      '3 TaskFailed',
    ]);
    expect(history![0]).toMatchObject({
      stream: broken.stream,
      version: 1,
      envelope: { actor: 'tester' },
      data: { queue: 'history' },
    });
  });

  it('explain why a pending task is not running', async () => {
    const key = 'k';
    await append(defineQueue('waits'));
    const [first, second] = [enqueue('waits', { key }), enqueue('waits', { key })];
    const later = enqueue('waits', { dueAt: '2099-01-01T00:00:00.000Z' });
    const free = enqueue('waits');
    await append(first, later, free);
    await append(claim(first).item);
    await append(second);
    const why = async ({ stream }: AppendItem) => (await task(taskIdOf(stream)))!.waitingFor;
    expect([await why(first), await why(second), await why(later), await why(free)]).toEqual([
      null,
      'key',
      'due',
      'worker',
    ]);
    await onQueue('waits', {
      type: 'QueuePaused',
      version: 2,
      data: { queue: 'waits', by: 'ann', reason: null, until: null },
    });
    expect([await why(second), await why(later), await why(free)]).toEqual(['key', 'due', 'queue-paused']);
  });

  it('filter lists by all fields at once, and page through them without gaps or repetitions', async () => {
    await append(defineQueue('list'));
    const tasks = Array.from({ length: 25 }, (_, n) =>
      enqueue('list', {
        kind: n % 2 ? 'odd' : 'even',
        labels: { n: String(n % 5) },
        reference: `r${n}`,
        ...(n === 7 && { key: 'seven' }),
      }),
    );
    await append(...tasks);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ queue: 'list' }, cursor);
      expect(page.items.length).toBeLessThanOrEqual(10);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(tasks.map(idOf));
    expect(await ids({ queue: 'list', kind: 'odd', label: { name: 'n', value: '1' } })).toEqual(
      [1, 11, 21].map((n) => idOf(tasks[n]!)),
    );
    expect(await ids({ queue: 'list', key: 'seven' })).toEqual([idOf(tasks[7]!)]);
    expect(await ids({ reference: 'r9', queue: 'list' })).toEqual([idOf(tasks[9]!)]);
    expect(await ids({ queue: 'list', state: 'running' })).toEqual([]);
    await append(claim(tasks[3]!).item);
    expect(await ids({ queue: 'list', worker: 'w1' })).toEqual([idOf(tasks[3]!)]);
  });

  it('begin with the newest if asked to, and page through them without gaps or repetitions', async () => {
    await append(defineQueue('newest'));
    const tasks = Array.from({ length: 5 }, () => enqueue('newest'));
    await append(...tasks);
    const pages: string[][] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await list({ queue: 'newest', sort: 'newest' }, cursor, 2);
      pages.push(page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([[4, 3], [2, 1], [0]].map((page) => page.map((at) => idOf(tasks[at]!))));
  });

  it('list failed tasks, the latest failure first', async () => {
    await append(defineQueue('broken'));
    const tasks = Array.from({ length: 5 }, () => enqueue('broken'));
    await append(...tasks);
    for (const at of [3, 0, 4, 1, 2]) await settled(tasks[at]!, (token) => failed('broken', token));
    const pages: string[][] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await list({ queue: 'broken', state: 'failed' }, cursor, 2);
      pages.push(page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([[2, 1], [4, 0], [3]].map((page) => page.map((at) => idOf(tasks[at]!))));
  });

  it('refuse a cursor of another list, and text that is no cursor', async () => {
    const { nextCursor } = await list({ queue: 'list' }, null, 1);
    await expect(list({ queue: 'list', kind: 'odd' }, nextCursor, 1)).rejects.toThrow(
      'belongs to a list with another filter',
    );
    await expect(list({ queue: 'list' }, 'nonsense', 1)).rejects.toThrow(
      "Expected a cursor that a list returned, but got 'nonsense'",
    );
  });

  it.each([
    ['an id', '-'.repeat(36), null],
    ['a day', NIL, '2026-02-30T00:00:00.000Z'],
    ['a time', NIL, '2026-01-01T............Z'],
    ['a year', NIL, '0000-01-01T00:00:00.000Z'],
  ])('refuse a made-up cursor that is not %s', async (_, taskId, failedAt) => {
    const filter = { queue: 'list', state: 'failed' } as const;
    const cursor = encodeCursor(filter, [taskId, failedAt]);
    await expect(list(filter, cursor)).rejects.toThrow(InvalidCursor);
  });

  it('refuse a cursor of another list by name, and one with an impossible name', async () => {
    const { nextCursor } = await queues(null, 1);
    await expect(workers(nextCursor, 1)).rejects.toThrow(InvalidCursor);
    await expect(queues(encodeCursor({ list: 'queues' }, ['\0']), 1)).rejects.toThrow(InvalidCursor);
  });

  it('return at most 500 tasks at once', async () => {
    await append(defineQueue('many'), ...Array.from({ length: 501 }, () => enqueue('many')));
    const page = await list({ queue: 'many' }, null, 10_000);
    expect(page.items).toHaveLength(500);
    expect((await list({ queue: 'many' }, page.nextCursor, 10_000)).items).toHaveLength(1);
  });

  it('show queues in their current state', async () => {
    await append(defineQueue('shown', { leaseMs: 1234 }));
    const by = { queue: 'shown', by: 'ann', reason: 'lunch' };
    await onQueue('shown', { type: 'QueueIntakeClosed', version: 1, data: by });
    await onQueue('shown', { type: 'QueuePaused', version: 2, data: { ...by, until: '2099-01-01T00:00:00.000Z' } }, 1);
    expect(await new GetQueueHandler(reading).execute(new GetQueue('shown'))).toMatchObject({
      name: 'shown',
      state: 'paused',
      policy: { leaseMs: 1234 },
      policyVersion: 1,
      revision: 2,
      intake: { open: false, by: 'ann', reason: 'lunch' },
      pause: { by: 'ann', reason: 'lunch', until: '2099-01-01T00:00:00.000Z' },
    });
    await append(defineQueue('gone'));
    await onQueue('gone', { type: 'QueueDeleted', version: 1, data: { queue: 'gone', by: 'ann' } });
    expect(await new GetQueueHandler(reading).execute(new GetQueue('gone'))).toBeNull();
    const names = await everyName((cursor) => queues(cursor, 500));
    expect(names).toContain('shown');
    expect(names).not.toContain('gone');
    expect(names).toEqual([...names].sort());
    expect(await everyName((cursor) => queues(cursor, 2))).toEqual(names);
  });

  it('count a queue up to a position, with the wait of its oldest task', async () => {
    await append(defineQueue('counted'));
    const [broken, done] = [enqueue('counted'), enqueue('counted')];
    await append(broken, done);
    await settled(broken, (token) => failed('counted', token));
    await settled(done, (token) => [succeeded('counted', token)]);
    const stats = () => new GetQueueStatsHandler(reading).execute(new GetQueueStats('counted'));
    expect((await stats())!.oldestWaitingMs).toBeNull();
    const before = performance.now();
    await append(item(enqueue('counted').stream, -1, [enqueued('counted', { priority: 5 })]), enqueue('counted'));
    const head = await db.store.head();
    await followers.positions.caughtUpTo('queue-stats', head, IN_TIME);
    const view = (await stats())!;
    const passed = performance.now() - before;
    expect(view).toMatchObject({
      counts: { pending: 2, running: 0, failed: 1, succeeded: 1, deleted: 0 },
      failuresByClass: { business: 1, bug: 0 },
      waitingMs: { count: 2, total: 0, max: 0 },
      runningMs: { count: 2, total: 2, max: 1 },
    });
    expect(BigInt(view.asOfPosition)).toBeGreaterThanOrEqual(head);
    expect(view.oldestWaitingMs).toBeGreaterThanOrEqual(0);
    // The database has this machine's clock, but not the monotonic one.
    expect(view.oldestWaitingMs).toBeLessThan(passed + 1_000);
  });

  it('count every queue, page by page, like a single one', async () => {
    const names = await everyName((cursor) => queues(cursor, 500));
    const seen: string[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await new ListQueueStatsHandler(reading).execute(new ListQueueStats(cursor, 4));
      expect(page.items.length).toBeLessThanOrEqual(4);
      // Both times pass.
      for (const { oldestWaitingMs, longestRunMs, ...counted } of page.items) {
        const one = await new GetQueueStatsHandler(reading).execute(new GetQueueStats(counted.queue));
        expect(one).toMatchObject(counted);
        expect(oldestWaitingMs === null).toBe(one!.oldestWaitingMs === null);
        expect(longestRunMs === null).toBe(one!.longestRunMs === null);
      }
      seen.push(...page.items.map(({ queue }) => queue));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(names);
    const { nextCursor } = await queues(null, 1);
    const stranger = new ListQueueStatsHandler(reading).execute(new ListQueueStats(nextCursor, 1));
    await expect(stranger).rejects.toThrow(InvalidCursor);
  });

  it('sum queues up, with those beyond the limit as one', async () => {
    const summaries = (most: number) => new SummariseQueuesHandler(reading).execute(new SummariseQueues(most));
    const each = await summaries(1_000);
    const names = await everyName((cursor) => queues(cursor, 500));
    expect(each.map(({ queue }) => queue)).toEqual(names);
    expect(each.find(({ queue }) => queue === 'counted')).toMatchObject({
      statuses: { active: 1, paused: 0, waiting: 0, finished: 0 },
      open: 1,
      stats: {
        pending: 2,
        failed: 1,
        succeeded: 1,
        failures_business: 1,
        ran_count: 2,
        ran_total_ms: 2,
        ran_max_ms: 1,
      },
      oldestWaitingMs: expect.any(Number),
    });

    const [first, other, ...more] = await summaries(1);
    const rest = each.slice(1);
    expect(first).toEqual({ ...each[0], oldestWaitingMs: first!.oldestWaitingMs });
    expect(more).toEqual([]);
    const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
    expect(other).toMatchObject({
      queue: '(others)',
      open: sum(rest.map(({ open }) => open)),
      statuses: { active: sum(rest.map(({ statuses }) => statuses.active)), paused: 2 },
      stats: {
        pending: sum(rest.map(({ stats }) => stats.pending)),
        ran_max_ms: Math.max(...rest.map(({ stats }) => stats.ran_max_ms)),
      },
    });
    expect(other!.oldestWaitingMs).toBeGreaterThanOrEqual(Math.max(...rest.map((one) => one.oldestWaitingMs ?? 0)));
  });

  it("never sum the service's own queues up with others, whose room they do not take", async () => {
    const own = ['waybill.mail', 'waybill.reruns'];
    await append(...own.map((name) => defineQueue(name)));
    const summaries = await new SummariseQueuesHandler(reading).execute(new SummariseQueues(1));
    const first = (await queues(null, 1)).items[0]!.name;
    expect(summaries.map((one) => [one.queue, one.internal])).toEqual([
      [first, false],
      ['(others)', false],
      ...own.map((name) => [name, true]),
    ]);
  });

  it('list workers with all their queues, and followers with their lag', async () => {
    await followers.positions.caughtUpTo('worker-roster', await db.store.head(), IN_TIME);
    const {
      items: [worker, ...others],
      nextCursor,
    } = await workers(null, 1);
    expect({ others, nextCursor }).toEqual({ others: [], nextCursor: null });
    expect(worker).toMatchObject({
      name: 'w1',
      server: 's1',
      queues: ['broken', 'counted', 'details', 'history', 'list', 'waits'],
      running: 2,
      claimed: 11,
      failed: 7,
      succeeded: 2,
    });
    for (const other of ['a "quoted" one', 'w0', 'w2']) {
      const task = enqueue('counted');
      await append(task);
      await append(claim(task, { worker: other }).item);
    }
    await followers.positions.caughtUpTo('worker-roster', await db.store.head(), IN_TIME);
    expect(await everyName((cursor) => workers(cursor, 1))).toEqual(['a "quoted" one', 'w0', 'w1', 'w2']);
    await followers.engine.stop();
    await append(enqueue('counted'), enqueue('counted'));
    const head = await db.store.head();
    await db.pool.query(`update segments set recorded_at = now() - interval '1 hour' where position > $1`, [head - 2n]);
    await db.pool.query(`update projection_checkpoints set status = 'stopped' where name = 'worker-roster'`);
    const lag = await new GetProjectionLagHandler(reading, db.store).execute();
    for (const one of lag) {
      expect(one).toMatchObject({ head: String(head), lagEvents: Number(head - BigInt(one.position)) });
      expect(one.lagEvents).toBeGreaterThanOrEqual(2);
      // Events that the follower has read meanwhile are recent.
      if (one.lagEvents === 2) expect(one.lagSeconds).toBeCloseTo(3_600, -2);
      expect(one.lagSeconds).toBeGreaterThan(0);
    }
    expect(lag.map(({ name, status }) => [name, status])).toEqual([
      ['failure-groups', 'running'],
      ['queue-history', 'running'],
      ['queue-stats', 'running'],
      ['worker-roster', 'stopped'],
    ]);
  });

  it('given a task that ends while it is read, show it as it was before', async () => {
    const submitted = enqueue('meanwhile');
    await append(defineQueue('meanwhile'), submitted);
    const { item: claimed, token, secret } = claim(submitted);
    await append(claimed);
    const end = item(submitted.stream, 1, [succeeded('meanwhile', token, { result: 1 })], { lease: { token, secret } });
    const log = {
      readStreams: async (streams: readonly string[]) => {
        await append(end);
        return db.store.readStreams(streams);
      },
    } as unknown as EventLog;
    const seen = await new GetTaskHandler(reading, log, grouping).execute(new GetTask(idOf(submitted), copyOf));
    expect(seen).toMatchObject({ state: 'running', result: null, endedAt: null, revision: 1 });
    expect(await task(idOf(submitted))).toMatchObject({ state: 'succeeded', result: 1 });
  });
});
