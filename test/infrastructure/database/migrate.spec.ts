import pg from 'pg';
import { FUNCTIONS } from '../../../src/bootstrap/functions.js';
import { migrate } from '../../../src/infrastructure/database/data-source.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

describe('migrate', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const functions = async (): Promise<unknown[]> =>
    (await client.query(`select oid::regprocedure::text as name from pg_proc where proname like 'waybill%' order by 1`))
      .rows;

  it('brings an empty database up to date, and does nothing the second time', async () => {
    expect(await migrate(database.url, FUNCTIONS)).not.toEqual([]);
    expect(await migrate(database.url, FUNCTIONS)).toEqual([]);
  });

  it('lets processes that start together take turns', async () => {
    const answers = await Promise.all([
      migrate(database.url, FUNCTIONS),
      migrate(database.url, FUNCTIONS),
      migrate(database.url, FUNCTIONS),
    ]);
    expect(answers.filter((names) => names.length > 0)).toHaveLength(1);
  });

  it('waits for as long as another process takes, and keeps logging that', async () => {
    await client.query('select pg_advisory_lock(7283002)');
    const lines: string[] = [];
    let migrated: Promise<unknown> | undefined;
    await new Promise<void>((resolve) => {
      migrated = migrate(database.url, FUNCTIONS, { log: (line) => lines.push(line) === 2 && resolve() });
    });
    const line = 'Waiting for another process that brings the schema up to date';
    expect(lines).toEqual([line, line]);
    await client.query('select pg_advisory_unlock(7283002)');
    expect(await migrated).not.toEqual([]);
  });

  it('replaces the functions of another version with its own', async () => {
    await migrate(database.url, FUNCTIONS);
    const own = await functions();
    await client.query(`drop function waybill_pick; create function waybill_gone(int) returns int language sql as 'select 1';
      comment on function waybill_append is 'another version'`);
    expect(await migrate(database.url, FUNCTIONS)).toEqual(['the functions of this version']);
    expect(await functions()).toEqual(own);
  });

  it('does not wait for a producer with an open transaction', async () => {
    await migrate(database.url, FUNCTIONS);
    await client.query(`comment on function waybill_append is 'another version'`);
    await client.query(`begin; select waybill.enqueue('mail')`);
    expect(await migrate(database.url, FUNCTIONS)).toEqual(['the functions of this version']);
    await client.query('commit');
  });
});
