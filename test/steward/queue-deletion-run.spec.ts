import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Run } from '@waybill/client';
import type { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { DefineQueue } from '../../src/application/queues/define-queue.handler.js';
import { OperateQueue } from '../../src/application/queues/operate-queue.handler.js';
import type { QueueDeletion } from '../../src/application/queue-deletions/queue-deletion.js';
import { EnqueueTasks } from '../../src/application/tasks/enqueue-tasks.handler.js';
import { OperateTasks } from '../../src/application/tasks/operate-tasks.handler.js';
import type { TaskOperation } from '../../src/application/tasks/task-operation.js';
import { queueStream } from '../../src/domain/queue/queue.stream.js';
import { PostgresBulkCheckpoints } from '../../src/infrastructure/ports/postgres-bulk-checkpoints.js';
import { createDataSource } from '../../src/infrastructure/database/data-source.js';
import {
  ListRemainingTasks,
  ListRemainingTasksHandler,
} from '../../src/projections/queue-deletions/queue-deletions.queries.js';
import { ENTITIES } from '../../src/projections/read-models.js';
import { QueueDeletionRun, type QueueDeletionWork } from '../../src/steward/queue-deletion-run.js';
import { PostgresApplication } from '../infrastructure/reactions/postgres-application.js';

const BY = { actor: 'shop', correlationId: 'test' };

let app: PostgresApplication;
let reading: DataSource;
let work: QueueDeletionWork;
beforeAll(async () => {
  app = await PostgresApplication.start();
  reading = await createDataSource(app.db.url, ENTITIES).initialize();
  const lists = new ListRemainingTasksHandler(reading);
  work = {
    checkpoints: new PostgresBulkCheckpoints(app.db.pool),
    give: ({ operation, ...many }, context) =>
      app.commands.execute(new OperateTasks({ ...many, operation: operation as TaskOperation }, context)),
    hasStanding: async () => true,
    isDeleted: async (queue, since) => {
      const [history] = await app.db.store.readStreams([queueStream(queue)]);
      return history!.some(({ event, recordedAt }) => event.type === 'QueueDeleted' && recordedAt > since);
    },
    tell: async (queue, operation, context) => {
      await app.commands.execute(new OperateQueue(queue, operation, context));
      return null;
    },
    remaining: (queue, before, limit) => lists.execute(new ListRemainingTasks(queue, before, limit)),
    countRunning: async () => 0,
    running: async () => [],
    watch: async () => undefined,
  };
});
afterAll(async () => {
  await reading.destroy();
  await app.stop();
});

async function define(queue: string, tasks: number): Promise<void> {
  await app.commands.execute(new DefineQueue(queue, '', {}, BY));
  const items = Array.from({ length: tasks }, () => ({ taskId: uuidv7(), queue }));
  await app.commands.execute(new EnqueueTasks(items, BY));
}

function attempt(operation: string, queue: string, token: number) {
  const payload: QueueDeletion = { queue, running: 'finish', expected: 3, by: 'ann' };
  const run = {
    task: { taskId: operation, enqueuedAt: '2020-01-01T00:00:00.000Z', payload },
    fencingToken: String(token),
    signal: new AbortController().signal,
    progress: () => undefined,
  } as unknown as Run<QueueDeletion>;
  return new QueueDeletionRun(run, work).finish();
}

async function typesOf(queue: string): Promise<string[]> {
  const [history] = await app.db.store.readStreams([queueStream(queue)]);
  return history!.map(({ event }) => event.type);
}

describe('a deletion whose process dies after it has deleted the queue', () => {
  it('has the same result in its next attempt, and leaves a queue alone that was defined again since', async () => {
    const [operation, queue] = [uuidv7(), 'reborn'];
    await define(queue, 3);
    const result = { asked: 3, done: 3, refused: {}, examples: [] };
    expect(await attempt(operation, queue, 1)).toEqual(result);
    await define(queue, 2);
    expect(await attempt(operation, queue, 2)).toEqual(result);
    expect(await typesOf(queue)).toEqual([
      'QueueDefined',
      'QueueIntakeClosed',
      'QueuePaused',
      'QueueDeleted',
      'QueueDefined',
    ]);
    expect(await work.remaining(queue, null, 10)).toHaveLength(2);
  });
});
