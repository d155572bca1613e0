import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PostgresConnection, PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { PostgresLogTimes } from '../../../src/infrastructure/past/postgres-log-times.js';
import { PostgresTimeMarks } from '../../../src/infrastructure/past/postgres-time-marks.js';
import { TimesIndex } from '../../../src/infrastructure/past/times-index.js';
import { TimesKeeper } from '../../../src/infrastructure/past/times-keeper.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { planAsInProduction } from '../../support/test-database.js';

planAsInProduction();

/** 10,000,000 events. */
const SEGMENTS = 200_000;
const EVENTS_EACH = 50;
/** In rows of `segments`, as the service has them. */
const STRETCH = 16_384;
const WHOLE_STRETCHES = Math.floor(SEGMENTS / STRETCH);

const START = Date.parse('2026-03-01T00:00:00.000Z');
const SECOND = 1_000;

/** A segment a second. */
const LONG_LOG = `
  insert into segments (position, n, category, type, version, recorded_at, meta, streams, ids, data)
  select (g - 1) * $2::bigint + 1, $2, 'task', 'TaskEnqueued', 1, $3::timestamptz + make_interval(secs => g - 1), '', '{}', '{}', ''
  from generate_series(1, $1::int) g`;

/** By this connection, since it reported last. */
const ROWS_READ = `
  select relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables
  where relname in ('segments', 'log_times')`;

async function rowsRead(connection: PostgresConnection) {
  const { rows } = await connection.query(ROWS_READ);
  const read = new Map(
    (rows as { relname: string; read: string }[]).map(({ relname, read: count }) => [relname, Number(count)]),
  );
  return { segments: read.get('segments') ?? 0, kept: read.get('log_times') ?? 0 };
}

describe('a time of a log of 10,000,000 events', () => {
  let fixture: PostgresFixture;
  beforeAll(async () => {
    fixture = await openPostgresStore();
    await fixture.pool.query(LONG_LOG, [SEGMENTS, EVENTS_EACH, new Date(START).toISOString()]);
    await fixture.pool.query('analyze segments');
  });
  afterAll(() => fixture.close());

  /** The position before a time, and the rows that a process reads to find it which has just started. */
  async function lookedUp(time: number) {
    const connection: PostgresConnection = await fixture.pool.connect();
    try {
      await connection.query('begin');
      const pool = { query: (asked: string) => connection.query(asked) } as unknown as PostgresPool;
      const marks = new PostgresTimeMarks(pool);
      const index = new TimesIndex(new PostgresLogTimes(pool), marks, () => fixture.store.head());
      const already = await rowsRead(connection);
      const { before } = await index.around(time);
      const { segments, kept } = await rowsRead(connection);
      return { before, segments: segments - already.segments, kept: kept - already.kept };
    } finally {
      await connection.query('rollback');
      connection.release();
    }
  }

  it('is looked up in the stretches that are kept', async () => {
    const seconds = SEGMENTS / 2;
    const position = BigInt((seconds + 1) * EVENTS_EACH);
    const first = await lookedUp(START + seconds * SECOND);
    expect(first.before).toBe(position);
    expect(first.segments).toBeGreaterThan(SEGMENTS);

    const { pool } = fixture;
    await new TimesKeeper(new PostgresLogTimes(pool), new PostgresTimeMarks(pool)).keep();

    const then = await lookedUp(START + seconds * SECOND);
    expect(then.before).toBe(position);
    expect(then.kept).toBe(WHOLE_STRETCHES);
    expect(then.segments).toBeLessThan(4 * STRETCH);
  });
});
