import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { LogTree } from '../../../src/infrastructure/notary/log-tree.js';
import { Notary } from '../../../src/infrastructure/notary/notary.js';
import { NotaryNotice } from '../../../src/infrastructure/notary/notary-notice.js';
import { PostgresLeaves } from '../../../src/infrastructure/notary/postgres-leaves.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

/** As many lives as a busy service has between two seals, some at once: a seal costs as much after one. */
const [TURNS, BATCHES, BATCH] = [3, 30, 20];

describe('the lives of tasks in a log that is sealed', () => {
  let dispatch: DispatchFixture;
  let pool: PostgresPool;
  let leaders: Leaders;
  let admin: pg.Client;
  let database: string;
  let folder: string;
  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    dispatch = await openDispatch({ poolSize: 1 });
    await dispatch.define('mail');
    const { rows } = await dispatch.pool.query<{ name: string }>('select current_database() as name');
    database = rows[0]!.name;
    await dispatch.pool.query(`set pg_stat_statements.track = 'top'`);
    await dispatch.pool.query(`alter database ${database} set pg_stat_statements.track = 'top'`);
    const url = Object.assign(new URL(process.env.DATABASE_URL!), { pathname: `/${database}` }).href;
    pool = new PostgresPool({ url, size: 2 });
    leaders = new Leaders(pool);
    admin = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await admin.connect();
    await admin.query('create extension if not exists pg_stat_statements');
    folder = await mkdtemp(join(tmpdir(), 'waybill-costs-'));
  });
  afterAll(async () => {
    await leaders.close();
    await pool.end();
    await admin.end();
    await dispatch.close();
    await rm(folder, { recursive: true });
  });

  async function live(): Promise<void> {
    for (let at = 0; at < BATCHES; at++) {
      await dispatch.enqueue(
        'mail',
        Array.from({ length: BATCH }, (_, n) => ({ payload: { n } })),
      );
      await dispatch.settle(await dispatch.claim('mail', { max: BATCH }));
    }
  }

  /** What all statements in the database wrote to the write-ahead log. */
  async function written(): Promise<number> {
    const { rows } = await admin.query<{ bytes: number }>(
      `select sum(wal_bytes)::float8 as bytes from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = $1`,
      [database],
    );
    return rows[0]!.bytes;
  }

  /** The statements of lives, and all that is written meanwhile. `then` comes after each turn. */
  async function costs(then: () => Promise<unknown>) {
    let statements = 0;
    const stop = dispatch.pool.onStatement(() => statements++);
    const before = await written();
    for (let turn = 0; turn < TURNS; turn++) await live().then(then);
    stop();
    return { statements, bytes: (await written()) - before };
  }

  it('H-38 cost as many statements as in one without seals, and at most 4 % more of the write-ahead log with the seals', async () => {
    // Policies stay cached, because the time after which they would be read again does not pass.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const { term } = (await leaders.tryToLead('notary'))!;
    const parts = { leaves: new PostgresLeaves(pool), tree: new LogTree(pool), notice: new NotaryNotice(pool) };
    const notary = new Notary({ ...parts, folder }, leaders);
    const seal = async () => {
      while ((await notary.round(term)) === 0);
    };
    await costs(seal);

    const without = await costs(async () => undefined);
    const sealed = await costs(seal);

    const { rows } = await pool.query<{ seals: number }>('select count(*)::int as seals from seals');
    expect(rows).toEqual([{ seals: 2 * TURNS }]);
    expect(without.statements).toBeGreaterThan(TURNS * BATCHES * 3);
    expect(without.bytes).toBeGreaterThan(TURNS * BATCHES * BATCH * 500);
    expect(sealed.statements).toBe(without.statements);
    expect(sealed.bytes).toBeLessThanOrEqual(without.bytes * 1.04);
  });
});

describe('the seal of a busy log', () => {
  const [ROUNDS, BATCH] = [60, 50];
  let service: RunningService;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-busy-'));
    service = await startService({ notaryDir: folder });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  it('H-40 is at most 10 seconds behind while tasks are enqueued, claimed and settled, and comes to the last of them', async () => {
    const { waybill } = service;
    const queue = waybill.queue('mail');
    await queue.define();
    const lags: number[] = [];
    const look = async () => {
      const { lagSeconds, seal } = await waybill.log.get();
      if (lagSeconds !== null) lags.push(lagSeconds);
      return seal;
    };
    await until('a seal', look);
    let last = 0n;
    for (let round = 0; round < ROUNDS; round++) {
      await queue.enqueueMany(Array.from({ length: BATCH }, (_, n) => ({ payload: { n } })));
      const claimed = await queue.claim({ worker: 'w1', max: BATCH });
      await waybill.settle(
        claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed', result: null } })),
      );
      const { position } = await queue.enqueue('last');
      last = BigInt(position!);
      await look();
    }
    await until('a seal of all', async () => (BigInt((await look())?.position ?? 0) >= last ? true : null));
    expect(lags.length).toBeGreaterThan(ROUNDS);
    expect(Math.max(...lags)).toBeLessThanOrEqual(10);
  });
});
