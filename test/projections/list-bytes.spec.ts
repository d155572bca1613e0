import type { DataSource } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { STEP_BYTES } from '../../src/domain/kernel/byte-budget.js';
import { createDataSource } from '../../src/infrastructure/database/data-source.js';
import type { Page } from '../../src/projections/kernel/page.js';
import { ListQueues, ListQueuesHandler } from '../../src/projections/queues/queues.queries.js';
import { ENTITIES } from '../../src/projections/read-models.js';
import { ListTasks, ListTasksHandler, type TaskFilter } from '../../src/projections/tasks/list-tasks.query.js';
import { ListTriggers, ListTriggersHandler } from '../../src/projections/triggers/triggers.queries.js';
import { defineQueue, enqueue } from '../support/events.js';
import { DecidedTasks } from '../../src/projections/tasks/decided-tasks.js';
import { openPostgresStore, type PostgresFixture } from '../support/postgres-store.js';

const MIB = 1024 * 1024;

describe('a page of a list has 4 MiB, or one larger row, and the next ones have the rest:', () => {
  let db: PostgresFixture;
  let reading: DataSource;
  beforeAll(async () => {
    db = await openPostgresStore();
    reading = await createDataSource(db.url, ENTITIES).initialize();
  });
  afterAll(async () => {
    await reading.destroy();
    await db.close();
  });

  async function pages<T>(list: (cursor: string | null) => Promise<Page<T>>): Promise<(readonly T[])[]> {
    const found: (readonly T[])[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<T> = await list(cursor);
      found.push(page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return found;
  }

  function expectWhole(found: readonly (readonly object[])[], largest: number): void {
    expect(found.length).toBeGreaterThan(2);
    for (const items of found) {
      const bytes = Buffer.byteLength(JSON.stringify(items));
      expect(bytes).toBeLessThan(items.length === 1 ? largest * 1.1 : STEP_BYTES + largest * 1.1);
    }
  }

  it('triggers', async () => {
    const sizes = [10, 3 * MIB, 3 * MIB, 6 * MIB, 10, 10];
    await db.pool.query(
      `insert into triggers (name, revision, position, state, definition, failures)
       select 't' || n, 0, 0, 'disabled',
         jsonb_build_object('cron', '0 0 1 1 *', 'task', jsonb_build_object('queue', 'q', 'payload', repeat('x', bytes))), 0
       from unnest($1::int[]) with ordinality as u(bytes, n)`,
      [sizes],
    );
    const found = await pages((cursor) => new ListTriggersHandler(reading).execute(new ListTriggers(cursor, 500)));
    expect(found.flat().map(({ name }) => name)).toEqual(['t1', 't2', 't3', 't4', 't5', 't6']);
    expectWhole(found, 6 * MIB);
  });

  it.each<[string, TaskFilter]>([
    ['tasks', { queue: 'tasks' }],
    ['failed tasks', { queue: 'tasks', state: 'failed' }],
  ])('%s', async (_, filter) => {
    await db.store.append([defineQueue('tasks')]);
    const ids = Array.from({ length: 50 }, () => uuidv7());
    await db.store.append(ids.map((id) => enqueue('tasks', {}, undefined, id)));
    await db.pool.query(
      `update tasks set state = 'failed', failed_at = date_trunc('second', now()), error = repeat('x', 300000) where queue = 'tasks'`,
    );
    const { length } = (await db.pool.query(`select from tasks where queue = 'tasks'`)).rows;
    const found = await pages((cursor) =>
      new ListTasksHandler(reading, new DecidedTasks({} as never)).execute(
        new ListTasks(filter, cursor, filter.state ? 7 : 500),
      ),
    );
    expect(new Set(found.flat().map(({ id }) => id)).size).toBe(length);
    expect(found.flat()).toHaveLength(length);
    expectWhole(found, 300_000);
  });

  it('queues', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `large-${String(n).padStart(2, '0')}`);
    await db.store.append(names.map((name) => defineQueue(name)));
    await db.pool.query(`update queues set description = repeat('x', 300000) where name like 'large-%'`);
    const found = await pages((cursor) => new ListQueuesHandler(reading).execute(new ListQueues(cursor, 500)));
    expect(found.flat().flatMap(({ name }) => (name.startsWith('large') ? name : []))).toEqual(names);
    expectWhole(found, 300_000);
  });
});
