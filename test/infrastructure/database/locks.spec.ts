import pg from 'pg';
import { BUILD } from '../../../src/bootstrap/functions.js';
import { LOG_LOCK, MIGRATION_LOCK } from '../../../src/infrastructure/database/locks.js';
import { migrate } from '../../../src/infrastructure/database/migrate.js';
import type { PostgresConnection } from '../../../src/infrastructure/database/postgres-pool.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { createEmptyDatabase } from '../../support/test-database.js';

/** Another program's session. */
let other: pg.Client;
const openOther = async (url: string): Promise<void> => {
  other = new pg.Client({ connectionString: url });
  await other.connect();
};

describe('locks of an application in the same database', () => {
  let dispatch: DispatchFixture;
  let application: PostgresConnection;
  beforeAll(async () => {
    dispatch = await openDispatch();
    application = await dispatch.pool.connect();
  });
  afterAll(async () => {
    application.release();
    await dispatch.close();
  });

  it.each([
    ['of one number', 'select pg_advisory_xact_lock(n) from generate_series(7283001, 7283012) as n'],
    [
      'of two numbers, both small or names',
      `select pg_advisory_xact_lock(a, b) from generate_series(0, 5) as a, generate_series(0, 5) as b
       union all select pg_advisory_xact_lock(hashtext('mail'), hashtext('mail'))`,
    ],
  ])('%s hold nothing up', async (_, take) => {
    await application.query('begin; set local idle_in_transaction_session_timeout = 0');
    await application.query(take);
    const queue = `mail-${take.length}`;
    await dispatch.define(queue);
    await dispatch.enqueue(queue, [{}]);
    expect(await dispatch.claim(queue)).toHaveLength(1);
    await application.query('commit');
  });
});

describe('the locks of two Waybills in two schemas of one database', () => {
  const keyOf = async (client: pg.Client, lock: string): Promise<unknown> =>
    (await client.query(`select ${lock}`)).rows.map((row: object) => Object.values(row));

  it('differ, and are the same for all who work on the same tables', async () => {
    const database = await createEmptyDatabase();
    await openOther(database.url);
    const keys: unknown[] = [];
    for (const schema of ['first', 'second']) {
      await other.query(`create schema ${schema}; set search_path = ${schema}`);
      const before = await keyOf(other, MIGRATION_LOCK);
      await other.query('create table segments (); create table schema_versions ()');
      expect(await keyOf(other, MIGRATION_LOCK)).toEqual(before);
      keys.push(await keyOf(other, LOG_LOCK), before);
      await other.query(`set search_path = public, ${schema}`);
      expect([await keyOf(other, LOG_LOCK), await keyOf(other, MIGRATION_LOCK)]).toEqual(keys.slice(-2));
    }
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(4);
    await other.end();
    await database.drop();
  });
});

it('a second Waybill in another schema is refused, and changes nothing that the first one has', async () => {
  const database = await createEmptyDatabase();
  await migrate(database.url, BUILD);
  await openOther(database.url);
  const enqueue = `select md5(prosrc) as body from pg_proc where proname = 'enqueue' and pronamespace = 'waybill'::regnamespace`;
  const { rows: before } = await other.query(enqueue);
  const name = new URL(database.url).pathname.slice(1);
  await other.query('create schema second');
  for (const path of ['second', 'second, public']) {
    await other.query(`alter database ${name} set search_path = ${path}`);
    await expect(migrate(database.url, BUILD)).rejects.toThrow(
      "Expected the tables of Waybill in schema 'second', the first of the search path, but schema 'public' has them; " +
        'correct the search_path of the role or the database, or use another database for a second Waybill.',
    );
  }
  expect((await other.query(enqueue)).rows).toEqual(before);
  await other.query(`alter database ${name} reset search_path`);
  expect(await migrate(database.url, BUILD)).toEqual([]);
  await other.end();
  await database.drop();
});

it('no lock is left by a migration, whether it ends or fails', async () => {
  const database = await createEmptyDatabase();
  await openOther(database.url);
  await migrate(database.url, BUILD);
  await other.query('begin; lock table builds');
  await expect(migrate(database.url, BUILD, { withinMs: 1 })).rejects.toThrow('lock timeout');
  const { rows } = await other.query(`select from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`);
  expect(rows).toEqual([]);
  await other.end();
  await database.drop();
});
