import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createDataSource } from '../../../src/infrastructure/database/data-source.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';
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

  it('makes its first statement fail', async () => {
    const pool = new PostgresPool({ url: postgres.url, size: 1 });
    const { query, release } = await pool.connect();
    await expect(query('select 1')).rejects.toThrow('not queryable');
    release(new Error('it is broken'));
    await pool.end();
  });

  it('makes the connections of queries fail', async () => {
    await expect(createDataSource(postgres.url, []).initialize()).rejects.toThrow('not queryable');
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
    const { query, release } = await pool.connect();
    const answers = await Promise.allSettled([pool.query('select 1'), query('select 1')]);
    expect(answers).toMatchObject([SILENT, SILENT]);
    release(new Error('it is silent'));
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
  let postgres: UnwellPostgres;
  beforeEach(async () => {
    postgres = await unwellPostgres('when spoken to');
  });
  afterEach(() => {
    postgres.close();
  });

  /** A pool with one idle connection, the server's end of that connection, and the losses that the pool reports. */
  async function idlePool() {
    const lost: string[] = [];
    const onConnectionLost = (error: Error): unknown => lost.push(error.message);
    const pool = new PostgresPool({ url: postgres.url, size: 1, onConnectionLost });
    const [[socket], { client, release }] = await Promise.all([once(postgres.server, 'connection'), pool.connect()]);
    release();
    const closed = new Promise<void>((resolve) => client.once('end', resolve));
    return { pool, lost, socket: socket as Socket, closed };
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
