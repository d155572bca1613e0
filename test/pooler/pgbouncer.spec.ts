import pg from 'pg';
import { createWaybill } from '@waybill/client';
import { ANSWER_MS } from '../../src/infrastructure/database/connect.js';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { UnfitSession } from '../../src/infrastructure/database/unfit-session.js';
import { endServiceProcesses, ServiceProcess } from '../service-process.js';
import { sizeOf } from '../support/sizes.js';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database.js';
import { type PgBouncer, pgbouncerTo } from './pgbouncer.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
let pooler: PgBouncer;
afterEach(async () => {
  await endServiceProcesses();
  await pooler.close();
  await database.drop();
});

const behind = async (settings: Record<string, string>): Promise<string> =>
  (pooler = await pgbouncerTo(database.url, settings)).url;

const IGNORING = { ignore_startup_parameters: 'options,extra_float_digits,statement_timeout,lock_timeout' };

const NEEDED = /; Waybill needs a direct or session-mode connection: set DATABASE_URL to one\.$/;

/** Small, the first of each mode stands for all, here and below. In transaction mode, a service keeps a lock that another session cannot release. */
const REFUSED: [string, Record<string, string>][] = [
  ['in transaction mode', { pool_mode: 'transaction' }],
  ['in statement mode', { pool_mode: 'statement' }],
  ['in transaction mode, with ignored parameters', { pool_mode: 'transaction', ...IGNORING }],
  ['in transaction mode, with one connection', { pool_mode: 'transaction', default_pool_size: '1' }],
  ['in transaction mode, in turn', { pool_mode: 'transaction', server_round_robin: '1', min_pool_size: '2' }],
  ['in transaction mode, always reset', { pool_mode: 'transaction', server_reset_query_always: '1' }],
];

const SESSIONS: [string, Record<string, string>][] = [
  ['as it comes', {}],
  ['with ignored parameters', IGNORING],
];

describe('a start behind PgBouncer', () => {
  it.each(REFUSED.slice(0, sizeOf(REFUSED.length, 2)))(
    '%s is refused in one sentence that names the cause, and leaves no lock',
    async (_, settings) => {
      const url = await behind(settings);
      for (const time of ['first', 'second']) {
        const service = new ServiceProcess({ DATABASE_URL: url });
        expect([time, await service.ended]).toEqual([time, 1]);
        expect(service.errors.trim()).toMatch(NEEDED);
        expect(service.errors.trim()).toMatch(/^Expected each connection to keep its session, but the pooler in front/);
      }
      const direct = new pg.Client({ connectionString: database.url });
      await direct.connect();
      const { rows } = await direct.query(`select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`);
      await direct.end();
      expect(rows).toEqual([]);
    },
  );

  it('with a parameter in its URL that the pooler does not take is refused with its name', async () => {
    const url = new URL(await behind({}));
    url.searchParams.set('options', '-c statement_timeout=1000');
    const service = new ServiceProcess({ DATABASE_URL: url.href });
    expect(await service.ended).toBe(1);
    expect(service.errors).toMatch(/but the server says: unsupported startup parameter.*: options; set DATABASE_URL/);
  });

  it.each(SESSIONS.slice(0, sizeOf(SESSIONS.length, 1)))(
    'in session mode, %s, works with a database in Kolkata that writes German dates',
    async (_, settings) => {
      const name = new URL(database.url).pathname.slice(1);
      const owner = new pg.Client({ connectionString: database.url });
      await owner.connect();
      await owner.query(`alter database ${name} set timezone = 'Asia/Kolkata'`);
      await owner.query(`alter database ${name} set datestyle = German`);
      await owner.end();
      const service = new ServiceProcess({
        DATABASE_URL: await behind({ max_client_conn: '200', default_pool_size: '60', ...settings }),
      });
      const waybill = createWaybill({ url: await service.url() });
      const before = Date.now();
      const mail = waybill.queue('mail');
      await mail.define();
      const { id } = await mail.enqueue({ to: 'me' });
      const [claimed] = await mail.claim({ worker: 'w' });
      await waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'succeed' } }]);
      const shown = await waybill.task(id).get();
      const times = [shown.enqueuedAt, ...(await waybill.task(id).history()).map(({ recordedAt }) => recordedAt)];
      for (const time of times) expect(Math.abs(Date.parse(time!) - before)).toBeLessThan(60_000);
      expect(shown.state).toBe('succeeded');
    },
  );
});

describe('a pooler that is changed to transaction mode', () => {
  it('is noticed by the next connection', async () => {
    const url = await behind({ pool_mode: 'transaction', default_pool_size: '1' });
    const pool = new PostgresPool({ url, size: 2, answerMs: ANSWER_MS });
    await pool.query('select 1');
    const first = await pool.connect();
    await expect(pool.connect()).rejects.toBeInstanceOf(UnfitSession);
    first.release();
    await pool.end();
  });
});

/** In statement mode PgBouncer refuses transactions, so the call stands alone. */
const APPLICATIONS: [string, string[]][] = [
  ['transaction', ['begin', 'commit']],
  ['session', ['begin', 'commit']],
  ['statement', []],
];

describe('an application that enqueues in its own transactions, behind PgBouncer', () => {
  it.each(APPLICATIONS.slice(0, sizeOf(APPLICATIONS.length, 1)))(
    'in %s mode, while the service has a direct connection',
    async (mode, [begin, commit]) => {
      const url = await behind({ pool_mode: mode, default_pool_size: '1' });
      const service = new ServiceProcess({ DATABASE_URL: database.url });
      const waybill = createWaybill({ url: await service.url() });
      await waybill.queue('mail').define();
      const applications = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
      for (const [n, application] of applications.entries()) {
        await application.connect();
        if (begin) await application.query(begin);
        await application.query(`select waybill.enqueue('mail', reference => $1)`, [`order-${n}`]);
        if (commit) await application.query(commit);
        // In session mode the only session is this one's until it leaves.
        await application.end();
      }
      const claimed = [];
      while (claimed.length < 2) claimed.push(...(await waybill.queue('mail').claim({ worker: 'w', waitMs: 30_000 })));
      expect(claimed.map(({ reference }) => reference)).toEqual(['order-0', 'order-1']);
    },
  );
});
