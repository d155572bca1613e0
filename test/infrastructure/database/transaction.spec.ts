import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { inOneTurn } from '../../../src/infrastructure/database/transaction.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('a transaction that is sent at once', () => {
  let database: TestDatabase;
  let pool: PostgresPool;
  beforeEach(async () => {
    database = await createTestDatabase();
    pool = new PostgresPool({ url: database.url, size: 1 });
    await pool.query('create table written (n int)');
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const connection = async (): Promise<unknown> => (await pool.query('select pg_backend_pid() as pid')).rows[0]!.pid;
  const written = async (): Promise<number> => (await pool.query('select from written')).rows.length;
  const sent = (...statements: readonly string[]) =>
    inOneTurn(pool, async (one) => void (await Promise.all(statements.map((text) => one.query(text)))));

  it('commits everything, or nothing if a statement is refused, and keeps its connection', async () => {
    const before = await connection();
    await sent('insert into written values (1)', 'insert into written values (2)');
    await expect(
      sent('insert into written values (3)', 'select 1 / 0', 'insert into written values (4)'),
    ).rejects.toThrow('division by zero');
    expect([await written(), await connection()]).toEqual([2, before]);
    await sent('insert into written values (5)');
    expect(await written()).toBe(3);
  });

  it('takes another connection if its own was lost', async () => {
    const before = await connection();
    await expect(
      sent('insert into written values (1)', 'select pg_terminate_backend(pg_backend_pid())'),
    ).rejects.toThrow(/./);
    expect(await connection()).not.toBe(before);
    expect(await written()).toBe(0);
  });
});
