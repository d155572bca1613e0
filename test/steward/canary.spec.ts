import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Run } from '@waybill/client';
import type { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import type { BulkOperation } from '../../src/application/bulk-operations/bulk-operation.js';
import { DefineQueue } from '../../src/application/queues/define-queue.handler.js';
import { EventStoreUnavailable } from '../../src/application/kernel/event-store.port.js';
import { EnqueueTasks } from '../../src/application/tasks/enqueue-tasks.handler.js';
import { OperateTasks } from '../../src/application/tasks/operate-tasks.handler.js';
import type { TaskOperation } from '../../src/application/tasks/task-operation.js';
import type { TaskStatus } from '../../src/domain/task/task.events.js';
import { taskStream } from '../../src/domain/task/task.stream.js';
import { createDataSource } from '../../src/infrastructure/database/data-source.js';
import { PostgresBulkCheckpoints } from '../../src/infrastructure/ports/postgres-bulk-checkpoints.js';
import { ENTITIES } from '../../src/projections/read-models.js';
import { DecidedTasks } from '../../src/projections/tasks/decided-tasks.js';
import { ListTasks, ListTasksHandler } from '../../src/projections/tasks/list-tasks.query.js';
import { BulkOperationRun, type BulkWork } from '../../src/steward/bulk-operation-run.js';
import { PostgresApplication } from '../infrastructure/reactions/postgres-application.js';

const BY = { actor: 'shop', correlationId: 'test' };
const CANARY = { first: 5, goOnIf: 0.8, withinMs: 60_000 };
const TASKS = 12;

let app: PostgresApplication;
let reading: DataSource;
let work: BulkWork;
/** How each tried task ends, and how often it was asked. */
let ends: readonly TaskStatus[];
let looks: (readonly string[])[];
let pauses: number[];
beforeAll(async () => {
  app = await PostgresApplication.start();
  reading = await createDataSource(app.db.url, ENTITIES).initialize();
  const lists = new ListTasksHandler(reading, new DecidedTasks({} as never));
  work = {
    checkpoints: new PostgresBulkCheckpoints(app.db.pool),
    page: (filter, cursor, limit) => lists.execute(new ListTasks(filter, cursor, limit)),
    give: ({ operation, ...many }, context) =>
      app.commands.execute(new OperateTasks({ ...many, operation: operation as TaskOperation }, context)),
    hasStanding: async () => true,
    statesOf: async (tasks) => {
      looks.push(tasks);
      return ends;
    },
    watchEnds: async (isOver) => void (await isOver()),
    pause: async (ms) => void pauses.push(ms),
  };
});
afterAll(async () => {
  await reading.destroy();
  await app.stop();
});
beforeEach(() => {
  [looks, pauses] = [[], []];
});

/** The ids of cancelled tasks in a queue of their own. Those at the given places wait, so they refuse a retry. */
async function tasksIn(queue: string, waiting: readonly number[] = []): Promise<readonly string[]> {
  await app.commands.execute(new DefineQueue(queue, '', {}, BY));
  const items = Array.from({ length: TASKS }, () => ({ taskId: uuidv7(), queue }));
  await app.commands.execute(new EnqueueTasks(items, BY));
  const ids = items.map(({ taskId }) => taskId);
  const tasks = ids.filter((_, at) => !waiting.includes(at));
  const operation = { type: 'CancelTask', reason: null } as const;
  await work.give({ tasks, operation, origin: 'first', isRepeated: false }, BY);
  return ids;
}

class Operation {
  readonly id = uuidv7();
  readonly recorded: object[] = [];
  readonly failures: unknown[][] = [];
  private token = 0;

  constructor(private readonly order: Pick<BulkOperation, 'command'> & Partial<BulkOperation>) {}

  attempt(differing: Partial<BulkWork> = {}, signal = new AbortController().signal) {
    const payload = { expected: TASKS, by: 'ann', ...this.order };
    const run = {
      task: {
        taskId: this.id,
        enqueuedAt: '2999-01-01T00:00:00.000Z',
        payload,
        data: Object.assign({}, ...this.recorded),
      },
      fencingToken: String(++this.token),
      signal,
      progress: () => undefined,
      record: async (data: object) => void this.recorded.push(data),
      fail: (...failure: unknown[]) => this.failures.push(failure),
    } as unknown as Run<BulkOperation>;
    return new BulkOperationRun(run, { ...work, ...differing }).finish();
  }

  /** The tasks that are kept as having the command, in the order of the pages. */
  async kept(): Promise<readonly string[]> {
    const { rows } = await app.db.pool.query<{ tasks: string[] }>(
      'select tasks from operation_tasks where operation = $1 order by page',
      [this.id],
    );
    return rows.flatMap(({ tasks }) => tasks);
  }
}

async function retried(ids: readonly string[]): Promise<readonly string[]> {
  const histories = await app.db.store.readStreams(ids.map(taskStream));
  return histories.flatMap((history, at) =>
    history.filter(({ event }) => event.type === 'TaskRetried').map(() => ids[at]!),
  );
}

const GOOD = ['succeeded', 'failed', 'succeeded', 'succeeded', 'succeeded'] as const;
const BAD = ['succeeded', 'failed', 'succeeded', 'succeeded', 'failed'] as const;

describe.each(['a filter', 'names'] as const)('an operation with a canary, over tasks given by %s', (by) => {
  const order = (queue: string, tasks: readonly string[]) =>
    ({ command: 'retry', canary: CANARY, ...(by === 'names' ? { tasks } : { filter: { queue } }) }) as const;
  const queueFor = (name: string) => `${name}-${by === 'names' ? 'named' : 'filtered'}`;

  it('given that enough of the first succeed, gives the command to all others', async () => {
    const ids = await tasksIn(queueFor('good'));
    const operation = new Operation(order(queueFor('good'), ids));
    ends = GOOD;
    expect(await operation.attempt()).toMatchObject({ asked: TASKS, done: TASKS, refused: {} });
    expect(looks).toEqual([ids.slice(0, 5)]);
    expect(operation.recorded).toEqual([{ canary: { succeeded: 4, failed: 1, open: 0, goesOn: true } }]);
    expect([await retried(ids), await operation.kept()]).toEqual([ids, ids]);
  });

  it('given that too few succeed, leaves the others alone and says why', async () => {
    const ids = await tasksIn(queueFor('bad'));
    const operation = new Operation(order(queueFor('bad'), ids));
    ends = BAD;
    await operation.attempt();
    expect(operation.failures).toEqual([
      [
        'business',
        expect.stringContaining('but 3 succeeded, 2 failed'),
        { final: true, details: { asked: 5, done: 5, refused: {}, examples: [] } },
      ],
    ]);
    expect([await retried(ids), await operation.kept()]).toEqual([ids.slice(0, 5), ids.slice(0, 5)]);
  });

  it('tries as many tasks as accept the command', async () => {
    const ids = await tasksIn(queueFor('refused'), [1, 3]);
    const operation = new Operation(order(queueFor('refused'), ids));
    ends = BAD;
    await operation.attempt();
    expect(looks).toEqual([[0, 2, 4, 5, 6].map((at) => ids[at])]);
    expect(operation.failures[0]![2]).toMatchObject({
      details: { asked: 7, done: 5, refused: { ILLEGAL_TRANSITION: 2 } },
    });
  });
});

it('waits for nothing if no task is left for a canary to decide about', async () => {
  const ids = await tasksIn('few');
  const operation = new Operation({ command: 'retry', canary: { ...CANARY, first: TASKS + 1 }, tasks: ids });
  expect(await operation.attempt()).toMatchObject({ done: TASKS });
  expect([looks, operation.recorded]).toEqual([[], []]);
});

describe('an operation with a canary that is interrupted', () => {
  /** Concerns all tasks of an append, which is not repeated with fewer. */
  class Killed extends EventStoreUnavailable {}
  const DIES = async (): Promise<never> => {
    throw new Killed('the process died');
  };
  /** Passes `n` calls, and dies instead of, or after, the next one. */
  function dying<A extends unknown[], R>(call: (...args: A) => Promise<R>, n: number, after: boolean) {
    let calls = 0;
    return async (...args: A): Promise<R> => {
      const isLast = calls++ === n;
      if (isLast && !after) return DIES();
      const result = await call(...args);
      return isLast ? DIES() : result;
    };
  }
  const checkpoints = (n: number, after: boolean) => {
    const saves = work.checkpoints;
    const save = dying(saves.save.bind(saves), n, after);
    return { checkpoints: { last: saves.last.bind(saves), save } as unknown as BulkWork['checkpoints'] };
  };
  /** Before and after each checkpoint, each command, each look and each record. */
  const POINTS: readonly (readonly [string, () => Partial<BulkWork>])[] = [
    ...[0, 1, 2, 3].flatMap((n) =>
      [false, true].map(
        (after) => [`${after ? 'after' : 'before'} checkpoint ${n}`, () => checkpoints(n, after)] as const,
      ),
    ),
    ...[0, 1].flatMap((n) =>
      [false, true].map(
        (after) =>
          [`${after ? 'after' : 'before'} command ${n}`, () => ({ give: dying(work.give, n, after) })] as const,
      ),
    ),
    ['before the look', () => ({ statesOf: dying(work.statesOf, 0, false) })],
    ['after the look', () => ({ statesOf: dying(work.statesOf, 0, true) })],
    ['within the wait', () => ({ watchEnds: DIES })],
  ];

  it.each(POINTS)('%s skips no task and gives none the command twice', async (point, differing) => {
    const queue = `killed-${POINTS.findIndex(([name]) => name === point)}`;
    const ids = await tasksIn(queue);
    const operation = new Operation({ command: 'retry', canary: CANARY, filter: { queue } });
    ends = GOOD;
    await expect(operation.attempt(differing())).rejects.toThrow(Killed);
    expect(await operation.attempt()).toMatchObject({ asked: TASKS, done: TASKS, refused: {} });
    expect([await retried(ids), await operation.kept()]).toEqual([ids, ids]);
    expect(new Set(looks.map((tasks) => tasks.join()))).toEqual(new Set([ids.slice(0, 5).join()]));
  });

  it('after the verdict keeps to it, whatever became of the tasks since', async () => {
    const ids = await tasksIn('decided');
    const operation = new Operation({ command: 'retry', canary: CANARY, tasks: ids });
    ends = BAD;
    await operation.attempt();
    ends = GOOD;
    await operation.attempt();
    expect(operation.failures).toHaveLength(2);
    expect(operation.failures[1]).toEqual(operation.failures[0]);
    expect(await retried(ids)).toEqual(ids.slice(0, 5));
  });
});

it('an operation that was asked to stop gives nothing more, before its worker hears of it', async () => {
  const ids = await tasksIn('asked');
  const stopped = new AbortController();
  let pages = 0;
  const hasStanding = async () => {
    if (++pages < 3) return true;
    stopped.abort(new Error('held'));
    return false;
  };
  const operation = new Operation({ command: 'retry', perSecond: 2, tasks: ids });
  await expect(operation.attempt({ hasStanding }, stopped.signal)).rejects.toThrow('held');
  expect(await retried(ids)).toEqual(ids.slice(0, 4));
});

it('an operation with a rate gives at most so many tasks the command at once, and waits for the rest of the second', async () => {
  const ids = await tasksIn('paced');
  const operation = new Operation({ command: 'retry', perSecond: 5, filter: { queue: 'paced' } });
  const sizes: number[] = [];
  const give: BulkWork['give'] = (many, context) => {
    sizes.push(many.tasks.length);
    return work.give(many, context);
  };
  expect(await operation.attempt({ give })).toMatchObject({ done: TASKS });
  expect(sizes).toEqual([5, 5, 2]);
  expect(pauses).toHaveLength(2);
  for (const ms of pauses) expect(ms).toBeLessThanOrEqual(1_000);
  expect([...(await retried(ids))].sort()).toEqual([...ids].sort());
});
