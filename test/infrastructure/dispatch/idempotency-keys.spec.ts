import { uuidv7 } from 'uuidv7';
import { PostgresIdempotencyKeys } from '../../../src/infrastructure/dispatch/postgres-idempotency-keys.js';
import { defineQueue, enqueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { until } from '../../support/until.js';

let db: PostgresFixture;
beforeAll(async () => {
  db = await openPostgresStore();
  await db.store.append([defineQueue('q')]);
});
afterAll(() => db.close());

const lockAwaited = (): Promise<true> =>
  until('a statement to wait for a lock', async () => {
    const { rows } = await db.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0 ? true : null;
  });

it('an answer does not take a key of which an append is just taking another item, for another request', async () => {
  const key = uuidv7();
  const recorded = { key, item: 1, fingerprint: 'first', answer: 'recorded' };
  const existing = { key, item: 0, fingerprint: 'second', answer: 'existing' };
  const task = enqueue('q', {}, { idempotencyKey: recorded });
  const appending = await db.pool.connect();
  await appending.query('begin');
  await db.store.appendWithin(appending, [task]);
  const answer = { ...existing, stream: task.stream, revision: 0, position: 1n };
  const remembered = new PostgresIdempotencyKeys(db.pool).remember([answer]);
  await Promise.race([remembered, lockAwaited()]);
  await appending.query('commit');
  appending.release();
  expect(await remembered).toEqual([expect.stringMatching(/^first /)]);
});
