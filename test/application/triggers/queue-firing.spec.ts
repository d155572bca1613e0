import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import { uuidv7 } from 'uuidv7';
import { SettleTasks } from '../../../src/application/claims/settle-tasks.handler.js';
import { DefineQueue } from '../../../src/application/queues/define-queue.handler.js';
import { EnqueueTasks } from '../../../src/application/tasks/enqueue-tasks.handler.js';
import { QueueFiring } from '../../../src/application/triggers/queue-firing.js';
import type { QueueTrigger } from '../../../src/domain/trigger/trigger.events.js';
import { CoreModule } from '../../../src/bootstrap/core.module.js';
import { DatabaseClock } from '../../../src/infrastructure/database/database-clock.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { by } from '../application.js';

let database: TestDatabase;
let context: INestApplicationContext;
let trigger: QueueTrigger;
let items: readonly string[];
beforeAll(async () => {
  database = await createTestDatabase();
  const reads = { poolSize: 4, statementMs: 10_000 };
  const core = await CoreModule.for({ databaseUrl: database.url, poolSize: 10, reads, roles: [] });
  context = await NestFactory.createApplicationContext(core, { logger: ['error'] });
  await context.get(DatabaseClock).start();
});
afterAll(async () => {
  await context.close();
  await database.drop();
});
beforeEach(async () => {
  const [queue, jobs] = [`items-${uuidv7()}`, `robots-${uuidv7()}`];
  for (const name of [queue, jobs]) await execute(new DefineQueue(name, '', {}, by('admin')));
  trigger = { queue, every: 60, batchSize: 2, description: '', task: { queue: jobs } };
  items = [uuidv7(), uuidv7(), uuidv7()];
  const tasks = items.map((taskId) => ({ taskId, queue }));
  await execute(new EnqueueTasks(tasks, by('producer')));
});

const execute = <R>(command: Command<R>): Promise<R> => context.get(CommandBus).execute(command);
const keyed = () => by('admin', { idempotencyKey: { key: uuidv7(), fingerprint: 'a' } });
const fire = (job: string, as = by('admin')) => context.get(QueueFiring).fire('nightly', trigger, job, as);

async function running(): Promise<readonly string[]> {
  const { rows } = await context
    .get(PostgresPool)
    .query<{ id: string }>(`select task_id as id from tasks where queue = $1 and state = 'running' order by id`, [
      trigger.queue,
    ]);
  return rows.map(({ id }) => id);
}

/** Ends an item on behalf of the job, whose token nobody needs here. */
async function endItem(item: string): Promise<void> {
  const { rows } = await context
    .get(PostgresPool)
    .query<{ token: string }>(`select l.token || '.' || l.secret as token from task_leases l where l.task_id = $1`, [
      item,
    ]);
  const settled = { taskId: item, token: rows[0]!.token, verdict: { type: 'succeed' } } as const;
  const [outcome] = await execute(new SettleTasks([settled], by('robot')));
  expect(outcome).toMatchObject({ kind: 'done' });
}

describe('the firing of a queue trigger', () => {
  it('that is repeated has the items of its job, also if one has ended since', async () => {
    const once = keyed();
    const job = uuidv7();
    const first = await fire(job, once);
    await endItem(items[0]!);
    expect(first).toMatchObject({ kind: 'fired', items: items.slice(0, 2) });
    expect(await fire(job, once)).toMatchObject({
      kind: 'fired',
      items: items.slice(0, 2),
      job: { receipt: { id: job } },
    });
    expect(await fire(job)).toMatchObject({ kind: 'fired', items: items.slice(0, 2) });
    expect(await running()).toEqual([items[1]]);
  });

  it('has the job that another request made under its key, and gives back what it claimed itself', async () => {
    const once = keyed();
    const job = uuidv7();
    await fire(job, once);
    expect(await fire(uuidv7(), once)).toMatchObject({
      kind: 'fired',
      items: items.slice(0, 2),
      job: { receipt: { id: job, replayed: true } },
    });
    expect(await running()).toEqual(items.slice(0, 2));
  });

  it('finds its job, and gives back what it claimed for it once its first claim was forgotten', async () => {
    const job = uuidv7();
    await fire(job);
    for (const item of items.slice(0, 2)) await endItem(item);
    await context.get(PostgresPool).query('delete from claims where claim_id = $1', [job]);
    expect(await fire(job)).toMatchObject({ kind: 'fired', items: items.slice(0, 2) });
    expect(await running()).toEqual([]);
  });
});
