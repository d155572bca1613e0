import pg from 'pg';
import { BUILD, FUNCTIONS } from '../../../src/bootstrap/functions.js';
import { Build } from '../../../src/infrastructure/database/build.js';
import { assertFit } from '../../../src/infrastructure/database/fit-database.js';
import { MIGRATION_LOCK } from '../../../src/infrastructure/database/locks.js';
import { migrate } from '../../../src/infrastructure/database/migrate.js';
import { MIGRATIONS } from '../../../src/infrastructure/database/migrations/migrations.js';
import { SchemaStep } from '../../../src/infrastructure/database/migrations/schema-step.js';
import { SchemaError } from '../../../src/infrastructure/database/schema-error.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { createDatabaseWith, createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

/** Only adds, so builds for version 1 can go on. */
class AddColour1900000000001 extends SchemaStep {
  readonly version = 2;
  readonly oldest = 1;
  protected readonly sql = 'alter table queues add column colour text';
}

/** Changes what builds for version 1 use. */
class NameColour1900000000001 extends SchemaStep {
  readonly version = 2;
  readonly oldest = 2;
  protected readonly sql = 'alter table queues rename column description to about';
}

const CHANGED = FUNCTIONS.map((text) => text.replace('begin', 'begin -- changed'));
const EXPANDING = new Build({ functions: CHANGED, migrations: [...MIGRATIONS, AddColour1900000000001] });
const CONTRACTING = new Build({ functions: CHANGED, migrations: [...MIGRATIONS, NameColour1900000000001] });

const INSTALLED = 'the functions of this build';

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

const rowsOf = async (sql: string, values?: unknown[]): Promise<unknown[]> => (await client.query(sql, values)).rows;

const functionsOf = ({ schema }: Build): Promise<unknown[]> =>
  rowsOf(
    `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 order by 1`,
    [schema],
  );

/** Lets the uses of builds be this long ago. */
const lastUsed = (ago: string): Promise<unknown> =>
  client.query('update builds set used_at = now() - $1::interval', [ago]);

describe('migrate', () => {
  it('brings an empty database up to date, and does nothing the second time', async () => {
    expect(await migrate(database.url, BUILD)).toEqual(['Tables1763700000000', INSTALLED]);
    expect(await migrate(database.url, BUILD)).toEqual([]);
    expect(await functionsOf(BUILD)).toContainEqual({ name: 'waybill_append' });
  });

  it('creates no function whose body names what does not exist', async () => {
    await migrate(database.url, BUILD);
    await client.query(`set search_path to ${BUILD.schema}, public`);
    const again = FUNCTIONS.filter((text) => !text.startsWith('create type')).map((text) =>
      text.replace('create function', 'create or replace function'),
    );
    await client.query(again.join(';\n'));
  });

  it('lets four processes that start together take turns', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, BUILD)));
    expect(answers.filter((names) => names.length > 0)).toHaveLength(1);
  });

  it('does not wait for a producer with an open transaction', async () => {
    await migrate(database.url, BUILD);
    await client.query(`begin; select waybill.enqueue('mail')`);
    const next = new Build({ functions: CHANGED, shared: BUILD.shared });
    expect(await migrate(database.url, next)).toEqual([INSTALLED]);
    await client.query('commit');
  });
});

describe('migrate refuses, before it creates anything,', () => {
  it.each(['SQL_ASCII', 'LATIN1', 'EUC_JP'])('a database that cannot hold every text: %s', async (encoding) => {
    const odd = await createDatabaseWith(`TEMPLATE template0 ENCODING '${encoding}' LOCALE 'C'`);
    try {
      await expect(migrate(odd.url, BUILD)).rejects.toThrow(
        new SchemaError(
          `Expected database '${new URL(odd.url).pathname.slice(1)}' to have the encoding UTF8, which holds every text, but it has ${encoding}; set DATABASE_URL to one made with: create database NAME encoding 'UTF8' template template0.`,
        ),
      );
    } finally {
      await odd.drop();
    }
  });

  it('a server that is too old', async () => {
    const old = { query: async () => ({ rows: [{ encoding: 'UTF8', version: 13, release: '13.22' }] }) };
    await expect(assertFit(old as never)).rejects.toThrow('Expected Postgres 14 or later, but the server is 13.22.');
  });
});

describe('the functions of a build', () => {
  it('are installed beside those of other builds, which stay', async () => {
    await migrate(database.url, BUILD);
    const own = await functionsOf(BUILD);
    expect(await migrate(database.url, EXPANDING)).toEqual(['AddColour1900000000001', INSTALLED]);
    expect(await functionsOf(BUILD)).toEqual(own);
    expect(await functionsOf(EXPANDING)).toEqual(own);
    expect(await migrate(database.url, BUILD)).toEqual([]);
  });

  it('are found by the connections of that build, and tables as before', async () => {
    await migrate(database.url, BUILD);
    await migrate(database.url, EXPANDING);
    for (const { schema } of [BUILD, EXPANDING]) {
      const pool = new PostgresPool({ url: database.url, size: 1, functions: schema });
      const { rows } = await pool.query(
        `select 'waybill_append'::regproc::oid::regprocedure is not null as found, current_schema() as tables,
           (select n.nspname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.oid = 'waybill_append'::regproc) as schema`,
      );
      expect(rows).toEqual([{ found: true, tables: 'public', schema }]);
      await pool.end();
    }
  });

  it('are dropped by the next build when nobody has used them for a day', async () => {
    await migrate(database.url, BUILD);
    await lastUsed('23 hours');
    await migrate(database.url, EXPANDING);
    expect(await functionsOf(BUILD)).not.toEqual([]);
    await lastUsed('25 hours');
    expect(await migrate(database.url, EXPANDING)).toEqual([]);
    expect(await functionsOf(BUILD)).toEqual([]);
    expect(await functionsOf(EXPANDING)).not.toEqual([]);
    expect(await migrate(database.url, BUILD)).toEqual([INSTALLED]);
  });

  it('that producers call come from a build for the newest schema', async () => {
    const sharing = (text: string, migrations = MIGRATIONS): Build =>
      new Build({
        functions: [],
        shared: [`create or replace function waybill.who() returns text language sql as $$ select '${text}' $$`],
        migrations,
      });
    const who = async (): Promise<unknown[]> => rowsOf('select waybill.who()');
    await migrate(database.url, sharing('first'));
    expect(await who()).toEqual([{ who: 'first' }]);
    await migrate(database.url, sharing('newest', EXPANDING.migrations));
    await migrate(database.url, sharing('late'));
    expect(await who()).toEqual([{ who: 'newest' }]);
  });
});

describe('a build and the version of the schema', () => {
  it('starts on a newer schema that only adds to the one it knows', async () => {
    await migrate(database.url, EXPANDING);
    expect(await migrate(database.url, BUILD)).toEqual([INSTALLED]);
  });

  it('refuses a newer schema that it does not understand', async () => {
    await migrate(database.url, CONTRACTING);
    await expect(migrate(database.url, BUILD)).rejects.toThrow(
      'Expected a schema that a build for version 1 can work on, but it has version 2, which needs a build for version 2 or later; start a newer build.',
    );
    expect(await functionsOf(BUILD)).toEqual([]);
  });

  it('does not take away what an older build in use needs', async () => {
    await migrate(database.url, BUILD);
    await expect(migrate(database.url, CONTRACTING, { withinMs: 1 })).rejects.toThrow(
      new RegExp(
        `^Expected to bring the schema up to date within 1 ms, but build '${BUILD.schema}' was in use \\d+ s ago; stop the processes of that build\\.$`,
      ),
    );
    expect(await rowsOf('select max(version) as version from schema_versions')).toEqual([{ version: 1 }]);
    await lastUsed('61 seconds');
    expect(await migrate(database.url, CONTRACTING)).toEqual(['NameColour1900000000001', INSTALLED]);
  });

  it('goes on when the older build is stopped in time', async () => {
    await migrate(database.url, BUILD);
    let stopped: Promise<unknown> | undefined;
    const log = (): void => void (stopped ??= lastUsed('61 seconds'));
    expect(await migrate(database.url, CONTRACTING, { log })).toEqual(['NameColour1900000000001', INSTALLED]);
    expect(stopped).toBeDefined();
  });

  it('counts its migrations', () => {
    expect(MIGRATIONS.map((Step) => new Step().version)).toEqual(MIGRATIONS.map((_, at) => at + 1));
  });
});

describe('migrate waits within a bound', () => {
  it('for another process that migrates, and says so', async () => {
    await client.query(`begin; select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    const lines: string[] = [];
    const [{ pid }] = (await rowsOf('select pg_backend_pid() as pid')) as [{ pid: number }];
    await expect(migrate(database.url, BUILD, { log: (line) => lines.push(line), withinMs: 50 })).rejects.toThrow(
      `Expected to bring the schema up to date within 50 ms, but the database's process ${pid} still does that; wait for it, or end it.`,
    );
    expect(lines[0]).toBe('Waiting for another process that brings the schema up to date');
    const migrated = migrate(database.url, BUILD);
    await client.query('commit');
    expect(await migrated).not.toEqual([]);
  });

  it('for a table that another session holds', async () => {
    await migrate(database.url, BUILD);
    await client.query('begin; lock table queues in access share mode');
    await expect(migrate(database.url, EXPANDING, { withinMs: 100 })).rejects.toThrow(
      'Expected to bring the schema up to date within 100 ms, but another session holds a table; end its transaction (pg_stat_activity).',
    );
    let released: Promise<unknown> | undefined;
    const log = (): void => void (released ??= client.query('commit'));
    expect(await migrate(database.url, EXPANDING, { log })).toEqual(['AddColour1900000000001', INSTALLED]);
    expect(released).toBeDefined();
  });

  it('for a table that it and another session want from each other', async () => {
    class Deadlock1900000000001 extends SchemaStep {
      readonly version = 2;
      readonly oldest = 1;
      protected readonly sql = `do $$ begin
        if nextval('tries') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if; end $$`;
    }
    await migrate(database.url, BUILD);
    await client.query('create sequence tries');
    const build = new Build({ functions: FUNCTIONS, migrations: [...MIGRATIONS, Deadlock1900000000001] });
    const lines: string[] = [];
    const done = await migrate(database.url, build, { log: (line) => lines.push(line) });
    expect(done[0]).toBe('Deadlock1900000000001');
    expect(lines).toEqual(['Waiting for a table that another session holds']);
  });

  it('for its own statements', async () => {
    class Sleep1900000000001 extends SchemaStep {
      readonly version = 2;
      readonly oldest = 1;
      protected readonly sql = 'select pg_sleep(60)';
    }
    await migrate(database.url, BUILD);
    const build = new Build({ functions: FUNCTIONS, migrations: [...MIGRATIONS, Sleep1900000000001] });
    await expect(migrate(database.url, build, { withinMs: 100 })).rejects.toThrow(
      'Expected to bring the schema up to date within 100 ms, but a statement took longer; set WAYBILL_MIGRATION_MS to a longer time.',
    );
  });
});
