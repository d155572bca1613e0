import pg from 'pg';
import { createDataSource } from '../../../src/infrastructure/database/data-source.js';
import { connect } from '../../../src/infrastructure/database/connect.js';
import { PostgresPool, ReadPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { isoTime } from '../../../src/infrastructure/database/value-parsers.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** What a database or a role may set, and what every connection has nevertheless. */
const OTHERWISE: Readonly<Record<string, readonly [other: string, needed: string]>> = {
  TimeZone: ['Asia/Kolkata', 'UTC'],
  DateStyle: ['German, DMY', 'ISO, MDY'],
  IntervalStyle: ['iso_8601', 'postgres'],
  bytea_output: ['escape', 'hex'],
  extra_float_digits: ['-5', '1'],
  client_encoding: ['LATIN1', 'UTF8'],
  standard_conforming_strings: ['off', 'on'],
  array_nulls: ['off', 'on'],
  transform_null_equals: ['on', 'off'],
  default_transaction_isolation: ['serializable', 'read committed'],
  default_transaction_deferrable: ['on', 'off'],
  exit_on_error: ['on', 'off'],
  idle_session_timeout: ['1min', '0'],
  synchronous_commit: ['off', 'on'],
  jit: ['on', 'off'],
};

/** Where the connections differ: the time-outs that queries and commands need. */
const TIME_OUTS = { statement_timeout: '59s', lock_timeout: '59s', idle_in_transaction_session_timeout: '59s' };

type Ask = (sql: string) => Promise<readonly Record<string, unknown>[]>;
interface Connection {
  readonly ask: Ask;
  end(): Promise<unknown>;
}

const overPool = (pool: PostgresPool): Connection => ({
  ask: async (sql) => (await pool.query(sql)).rows,
  end: () => pool.end(),
});

const CONNECTIONS: Readonly<Record<string, (url: string) => Promise<Connection>>> = {
  'commands, followers and LISTEN': async (url) => overPool(new PostgresPool({ url, size: 1, functions: 'f' })),
  histories: async (url) => overPool(new ReadPool({ url, size: 1, statementMs: 10_000 })),
  queries: async (url) => {
    const source = await createDataSource(url, [], { size: 1, statementMs: 10_000 }).initialize();
    return { ask: (sql) => source.query(sql), end: () => source.destroy() };
  },
  'the start, migrations and programs of maintenance': async (url) => {
    const client = await connect(url);
    return { ask: async (sql) => (await client.query(sql)).rows, end: () => client.end() };
  },
};

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const name = new URL(database.url).pathname.slice(1);
  // What a role has in a database comes after what the database has, and goes with it.
  for (const whose of [`database ${name}`, `role current_user in database ${name}`]) {
    for (const [setting, [other]] of Object.entries(OTHERWISE))
      await owner.query(`alter ${whose} set ${setting} = ${setting === 'DateStyle' ? other : `'${other}'`}`);
    for (const [setting, other] of Object.entries(TIME_OUTS))
      await owner.query(`alter ${whose} set ${setting} = '${other}'`);
  }
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const settingsQuery = `select ${Object.keys(OTHERWISE)
  .map((setting) => `current_setting('${setting}') as "${setting}"`)
  .join(', ')}`;

describe.each(Object.entries(CONNECTIONS))('a connection for %s', (_, connect) => {
  let connection: Connection;
  beforeAll(async () => void (connection = await connect(database.url)));
  afterAll(() => connection.end());

  it('has what it needs, whatever the database sets', async () => {
    const [found] = await connection.ask(settingsQuery);
    expect(found).toEqual(
      Object.fromEntries(Object.entries(OTHERWISE).map(([setting, [, needed]]) => [setting, needed])),
    );
  });

  it('is given time to work, to wait and to stand idle', async () => {
    const [found] = await connection.ask(
      `select ${Object.keys(TIME_OUTS)
        .map((setting) => `extract(epoch from current_setting('${setting}')::interval)::int as ${setting}`)
        .join(', ')}`,
    );
    for (const seconds of Object.values(found!)) expect([0, 5, 10]).toContain(seconds);
  });
});

it('has a stronger promise of a commit than this server’s disk, if the database gives it', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await owner.query(`alter role current_user in database ${name} set synchronous_commit = remote_apply`);
  const pool = new PostgresPool({ url: database.url, size: 1 });
  expect((await pool.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'remote_apply' }]);
  await pool.end();
});

describe('a time from the database', () => {
  it.each(['2026-11-26 01:46:18.12+05:30', '26.11.2026 01:46:18.12 UTC', '2026-11-26T01:46:18+00', 'infinity'])(
    'is refused as %s',
    (text) => {
      expect(() => isoTime(text)).toThrow(`Expected a time in UTC like 2026-11-21 08:05:03.12+00, but it is '${text}'`);
    },
  );

  it('is cut in UTC', () => {
    expect(isoTime('2026-11-21 08:05:03.12+00')).toBe('2026-11-21T08:05:03.120Z');
  });
});
