import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Run } from '@waybill/client';
import type { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import type { BulkOperation } from '../../src/application/bulk-operations/bulk-operation.js';
import { DefineQueue } from '../../src/application/queues/define-queue.handler.js';
import type { PolicyChanges } from '../../src/application/queues/policy-changes.js';
import { EnqueueTasks } from '../../src/application/tasks/enqueue-tasks.handler.js';
import { EventStoreUnavailable } from '../../src/application/kernel/event-store.port.js';
import { OperateTasks } from '../../src/application/tasks/operate-tasks.handler.js';
import type { TaskOperation } from '../../src/application/tasks/task-operation.js';
import { taskStream } from '../../src/domain/task/task.stream.js';
import { PostgresBulkCheckpoints } from '../../src/infrastructure/ports/postgres-bulk-checkpoints.js';
import { createDataSource } from '../../src/infrastructure/database/data-source.js';
import { ENTITIES } from '../../src/projections/read-models.js';
import { ListTasks, ListTasksHandler } from '../../src/projections/tasks/list-tasks.query.js';
import { BulkOperationRun, type BulkWork } from '../../src/steward/bulk-operation-run.js';
import { DecidedTasks } from '../../src/projections/tasks/decided-tasks.js';
import { PostgresApplication } from '../infrastructure/reactions/postgres-application.js';

const BY = { actor: 'shop', correlationId: 'test' };
/** More than two checkpoints. */
const TASKS = 1_100;

let app: PostgresApplication;
let reading: DataSource;
let work: BulkWork;
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
    statesOf: async () => [],
    watchEnds: async () => undefined,
    pause: async () => undefined,
  };
});
afterAll(async () => {
  await reading.destroy();
  await app.stop();
});

/** The ids of new tasks in a queue of their own. */
async function tasksIn(queue: string, count: number, policy: PolicyChanges = {}): Promise<string[]> {
  await app.commands.execute(new DefineQueue(queue, '', policy, BY));
  const items = Array.from({ length: count }, () => ({ taskId: uuidv7(), queue }));
  await app.commands.execute(new EnqueueTasks(items, BY));
  return items.map(({ taskId }) => taskId);
}

interface Attempt {
  readonly operation: string;
  readonly token?: number;
  readonly order: Pick<BulkOperation, 'command'> & Partial<BulkOperation>;
  readonly give?: BulkWork['give'];
  readonly signal?: AbortSignal;
}

function attempt({ operation, token = 1, order, give = work.give, signal }: Attempt) {
  const run = {
    task: {
      taskId: operation,
      enqueuedAt: '2999-01-01T00:00:00.000Z',
      payload: { expected: 1, by: 'ann', ...order },
      data: {},
    },
    fencingToken: String(token),
    signal: signal ?? new AbortController().signal,
    progress: () => undefined,
  } as unknown as Run<BulkOperation>;
  return new BulkOperationRun(run, { ...work, give }).finish();
}

/** Calls `then` after the n-th append of commands. */
function after(appends: number, then: () => void): BulkWork['give'] {
  let given = 0;
  return async (many, context) => {
    const codes = await work.give(many, context);
    if (++given === appends) then();
    return codes;
  };
}

async function typesOf(tasks: readonly string[]): Promise<string[]> {
  const histories = await app.db.store.readStreams(tasks.map(taskStream));
  return histories.flat().map(({ event }) => event.type);
}
const timesOf = async (type: string, tasks: readonly string[]): Promise<number> =>
  (await typesOf(tasks)).filter((one) => one === type).length;

describe('an operation that is interrupted', () => {
  it.each([
    ['a command that the tasks would take again', { command: 'prioritise', priority: 3 }, 'TaskReprioritised'],
    ['a command that the tasks refuse afterwards', { command: 'retry' }, 'TaskRetried'],
  ] as const)('goes on where it stopped, and gives no task %s', async (_, command, type) => {
    const queue = `interrupted-${command.command}`;
    const tasks = await tasksIn(queue, TASKS);
    const order = { ...command, filter: { queue } };
    const cancel = { operation: { type: 'CancelTask', reason: null }, origin: 'first', isRepeated: false } as const;
    if (command.command === 'retry') await work.give({ ...cancel, tasks }, BY);
    const operation = uuidv7();
    const dies = after(7, () => {
      throw new EventStoreUnavailable('the process died before it got the answer');
    });
    await expect(attempt({ operation, order, give: dies })).rejects.toThrow('the process died');
    // The other appends of the checkpoint went on.
    expect(await timesOf(type, tasks)).toBe(1_000);
    // Somebody else changes what the operation has changed already.
    if (command.command === 'prioritise') {
      const other = { type: 'ReprioritiseTask', priority: 1 } as const;
      const many = { tasks: tasks.slice(0, 600), operation: other, origin: 'ben', isRepeated: false };
      await work.give(many, { actor: 'ben', correlationId: 'test' });
    }
    expect(await attempt({ operation, token: 2, order })).toEqual({
      asked: TASKS,
      done: TASKS,
      refused: {},
      examples: [],
    });
    expect(await timesOf(type, tasks)).toBe(TASKS + (command.command === 'prioritise' ? 600 : 0));
  });

  it('stops at the next checkpoint when it is cancelled', async () => {
    const tasks = await tasksIn('cancelled', TASKS);
    const cancelled = new AbortController();
    const give = after(2, () => cancelled.abort(new Error('cancelled')));
    const order = { command: 'hold', filter: { queue: 'cancelled' } } as const;
    const { signal } = cancelled;
    await expect(attempt({ operation: uuidv7(), order, give, signal })).rejects.toThrow('cancelled');
    expect(await timesOf('TaskHeld', tasks)).toBe(500);
  });

  it('leaves the operation to a later attempt, if there is one', async () => {
    const tasks = await tasksIn('overtaken', 1);
    const task = { operation: uuidv7(), order: { command: 'hold', tasks } } as const;
    await attempt({ ...task, token: 2 });
    await expect(attempt({ ...task, token: 1 })).rejects.toThrow('a later attempt has done so');
  });
});

describe('an operation', () => {
  it('counts a task that is named twice once, and tasks that do not exist as refusals', async () => {
    const [task] = await tasksIn('named', 1);
    const unknown = uuidv7();
    const order = { command: 'hold', tasks: [task!, task!, unknown] } as const;
    expect(await attempt({ operation: uuidv7(), order })).toEqual({
      asked: 2,
      done: 1,
      refused: { TASK_NOT_FOUND: 1 },
      examples: [{ task: unknown, code: 'TASK_NOT_FOUND' }],
    });
  });

  it('given an idempotency key that somebody else has taken, does not take that for its own command', async () => {
    const [task] = await tasksIn('taken', 1);
    const operation = uuidv7();
    const idempotencyKey = { key: `op:${operation}\n${task}`, fingerprint: 'of another request' };
    await app.commands.execute(new EnqueueTasks([{ taskId: null, queue: 'taken' }], { ...BY, idempotencyKey }));
    const order = { command: 'hold', tasks: [task!] } as const;
    expect(await attempt({ operation, order })).toMatchObject({ done: 0, refused: { IDEMPOTENCY_KEY_REUSED: 1 } });
    expect(await typesOf([task!])).toEqual(['TaskEnqueued']);
  });

  it('given a queue that does not offer the command, counts a refusal, and changes the tasks of others', async () => {
    await app.commands.execute(new DefineQueue('strict', '', {}, BY, 'cluster-tasks'));
    const [strict, lenient] = [uuidv7(), ...(await tasksIn('lenient', 1))];
    await app.commands.execute(new EnqueueTasks([{ taskId: strict, queue: 'strict' }], BY));
    const order = { command: 'hold', tasks: [strict, lenient!], reason: 'later' } as const;
    expect(await attempt({ operation: uuidv7(), order })).toMatchObject({
      asked: 2,
      done: 1,
      refused: { COMMAND_NOT_OFFERED: 1 },
    });
    expect(await typesOf([lenient!])).toEqual(['TaskEnqueued', 'TaskHeld']);
  });
});

it('refuses a task alone on which the database fails, and goes on with the others', async () => {
  const tasks = await tasksIn('broken', 150);
  await app.db.pool.query(`create function broken() returns trigger language plpgsql as $$
    begin if new.task_id = '${tasks[70]}' then raise exception 'broken row'; end if; return new; end $$`);
  await app.db.pool.query('create trigger broken before update on tasks for each row execute function broken()');
  Logger.overrideLogger(false);
  const order = { command: 'hold', filter: { queue: 'broken' } } as const;
  expect(await attempt({ operation: uuidv7(), order })).toEqual({
    asked: 150,
    done: 149,
    refused: { COMMAND_FAILED: 1 },
    examples: [{ task: tasks[70], code: 'COMMAND_FAILED' }],
  });
  await app.db.pool.query('drop function broken cascade');
  expect(await timesOf('TaskHeld', tasks)).toBe(149);
});
