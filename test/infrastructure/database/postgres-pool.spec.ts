import type { Writable } from 'node:stream';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { isConnectionError } from '../../../src/application/kernel/connection-errors.js';
import { createDataSource } from '../../../src/infrastructure/database/data-source.js';
import { type PostgresConnection, PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';
import { type TcpProxy, tcpProxyTo } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { FAREWELL, unwellPostgres, type UnwellPostgres, TERMINATED } from '../../support/unwell-postgres.js';

describe('a connection that breaks as soon as it is made', () => {
  let postgres: UnwellPostgres;
  beforeEach(async () => {
    postgres = await unwellPostgres('at once');
  });
  afterEach(() => {
    postgres.close();
  });

  it('is not lent, and the database counts as away', async () => {
    const pool = new PostgresPool({ url: postgres.url, size: 1 });
    expect(isConnectionError(await pool.connect().catch((error: unknown) => error))).toBe(true);
    await pool.end();
  });

  it('makes the connections of queries fail in the same way', async () => {
    const failure = await createDataSource(postgres.url, [])
      .initialize()
      .catch((error: unknown) => error);
    expect(isConnectionError(failure)).toBe(true);
  });
});

describe('connections that rest', () => {
  let database: TestDatabase;
  let pool: PostgresPool;
  let admin: pg.Client;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    pool = new PostgresPool({ url: database.url, size: 6 });
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await pool.end();
    await database.drop();
  });

  const open = async () => {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'waybill'`,
    );
    return rows.map(({ pid }) => pid);
  };

  it('are closed, but for some, which keep the plans of their statements', async () => {
    const borrowed = await Promise.all(Array.from({ length: 6 }, () => pool.connect()));
    const before = await open();
    expect(before).toHaveLength(6);
    for (const connection of borrowed) connection.release();
    await until('some of them to be closed', async () => ((await open()).length < 6 ? true : null));
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(before).toContain(rows[0]!.pid);
  });
});

describe('a refused statement', () => {
  it('leaves its connection in the pool', async () => {
    const { url, drop } = await createEmptyDatabase();
    const pool = new PostgresPool({ url, size: 1 });
    const pid = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
    const before = await pid();
    await expect(pool.query('select 1 / 0')).rejects.toThrow('division by zero');
    await expect(
      pool.query(`do $$ begin raise exception using errcode = 'WB002', message = 'no'; end $$`),
    ).rejects.toThrow('no');
    expect(await pid()).toBe(before);
    await pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    expect(await pid()).not.toBe(before);
    await pool.end();
    await drop();
  });
});

describe('statements on one connection', () => {
  let database: TestDatabase;
  let pool: PostgresPool;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    pool = new PostgresPool({ url: database.url, size: 1 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** How often the socket is written to. */
  async function writesOf(work: (connection: PostgresConnection) => Promise<unknown>): Promise<number> {
    const connection = await pool.connect();
    const { stream } = (connection.client as unknown as { readonly connection: { readonly stream: Writable } })
      .connection;
    const spies = [jest.spyOn(stream, '_write'), jest.spyOn(stream, '_writev' as '_write')];
    await work(connection).finally(() => connection.release());
    const writes = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const spy of spies) spy.mockRestore();
    return writes;
  }

  it('are written together if none waits for another', async () => {
    const writes = await writesOf((connection) =>
      Promise.all(['begin', { text: 'select $1::int', values: [1] }, 'commit'].map((one) => connection.query(one))),
    );
    expect(writes).toBe(1);
  });

  it('are written at once if one waits for another', async () => {
    const writes = await writesOf(async (connection) => {
      await connection.query('select 1');
      await connection.query('select 2');
    });
    expect(writes).toBe(2);
  });
});

describe('a connection over the network', () => {
  const PROBES = `select current_setting('tcp_keepalives_idle')::int + current_setting('tcp_keepalives_interval')::int
    * current_setting('tcp_keepalives_count')::int as seconds, current_setting('tcp_user_timeout') as unanswered`;
  /** As over the loopback interface: settings of a socket of the machine show as 0. */
  let database: TestDatabase;
  let url: string;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    const overTcp = new URL(database.url);
    overTcp.searchParams.delete('host');
    url = overTcp.href;
  });
  afterAll(() => database.drop());

  it('is ended by the server within a minute after this machine is lost, in every pool', async () => {
    const pool = new PostgresPool({ url, size: 1 });
    const source = await createDataSource(url, []).initialize();
    const all = [(await pool.query(PROBES)).rows, await source.query(PROBES)];
    await pool.end();
    await source.destroy();
    expect(all).toEqual([[{ seconds: 40, unanswered: '40000' }], [{ seconds: 40, unanswered: '40000' }]]);
  });
});

describe('a server that does not answer', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database.drop());

  let postgres: UnwellPostgres;
  beforeEach(async () => {
    postgres = await unwellPostgres('never');
  });
  afterEach(() => {
    postgres.close();
  });

  it('makes statements time out, and the pool ends without it', async () => {
    const pool = new PostgresPool({ url: postgres.url, size: 2, answerMs: 50 });
    const answers = await Promise.allSettled([pool.query('select 1'), pool.query('select 1')]);
    expect(answers).toMatchObject([SILENT, SILENT]);
    await pool.end();
  });

  it('makes queries time out', async () => {
    const source = createDataSource(postgres.url, [], { answerMs: 50 });
    await expect(source.initialize()).rejects.toThrow('Query read timeout');
  });

  it('is not asked again on the same connection', async () => {
    const source = createDataSource(database.url, [], { size: 1, answerMs: 500 });
    // A busy machine may take longer to answer.
    const answered = <T>(what: string, ask: () => Promise<T>): Promise<T> => until(what, () => ask().catch(() => null));
    await answered('a source', () => source.initialize());
    const backend = async (): Promise<unknown> => (await source.query('select pg_backend_pid() as pid'))[0].pid;
    const first = await answered('a connection', backend);
    await expect(source.query('select pg_sleep(60)')).rejects.toThrow('Query read timeout');
    expect(await answered('another connection', backend)).not.toBe(first);
    await source.destroy();
  });

  const SILENT = { status: 'rejected', reason: { message: 'Query read timeout' } };
});

describe('PostgresPool', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    proxy = await tcpProxyTo(database.url);
  });
  afterAll(async () => {
    proxy.close();
    await database.drop();
  });

  /** A pool with one idle connection, the server's end of that connection, and the losses that the pool reports. */
  async function idlePool() {
    const lost: string[] = [];
    const onConnectionLost = (error: Error): unknown => lost.push(error.message);
    const pool = new PostgresPool({ url: proxy.url, size: 1, onConnectionLost });
    const { client, release } = await pool.connect();
    release();
    const closed = new Promise<void>((resolve) => client.once('end', resolve));
    return { pool, lost, socket: [...proxy.clients].at(-1)!, closed };
  }

  it('reports a connection that was lost while idle', async () => {
    const { pool, lost, socket, closed } = await idlePool();
    socket.end(FAREWELL);
    await closed;
    expect(lost).toEqual([TERMINATED]);
    await pool.end();
  });

  it('does not report a connection that a stopping server closes after the pool has ended', async () => {
    const { pool, lost, closed } = await idlePool();
    await pool.end();
    await closed;
    expect(lost).toEqual([]);
  });
});

describe('a query of TypeORM', () => {
  let database: TestDatabase;
  let db: DataSource;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    db = await createDataSource(database.url, [], { size: 1 }).initialize();
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });

  const numbers = (comment?: string) => {
    const query = db.createQueryBuilder().select('s.n', 'n').from('(select * from generate_series(1, 3) n)', 's');
    query.where('s.n > :least');
    return (comment === undefined ? query : query.comment(comment)).setParameters({ least: 1 }).getRawMany();
  };
  const prepared = () => db.query('select name from pg_prepared_statements');

  it('is prepared once if its comment names it, and not otherwise', async () => {
    await numbers();
    await numbers('only a remark');
    expect(await prepared()).toEqual([]);
    const found = [await numbers('waybill_numbers'), await numbers('waybill_numbers')];
    expect(found).toEqual(Array(2).fill([{ n: 2 }, { n: 3 }]));
    expect(await prepared()).toEqual([{ name: 'waybill_numbers' }]);
  });
});
