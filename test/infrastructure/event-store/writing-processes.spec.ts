import { spawn } from 'node:child_process';
import { built } from '../../support/built.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { until } from '../../support/until.js';
import { defineQueue } from '../../support/events.js';

const PROCESSES = 8;
const LIVES = 24;
/** Four lives have 1 + 7 + 2 + 3 tasks with three events each. */
const EVENTS = PROCESSES * (LIVES / 4) * 13 * 3 + 1;

function write(url: string, index: number): Promise<void> {
  const args = [built('test/support/writer-process.ts'), url, 'q', String(LIVES), String(index)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`Writer ${index} ended with ${String(code)}`)),
    );
  });
}

/**
 * The positions that a reader behind the transaction fence sees: only rows of transactions older than every open one.
 */
async function fenced({ pool }: PostgresFixture): Promise<string[]> {
  const { rows } = await pool.query<{ position: string }>(
    `select position + at as position from segments s cross join lateral generate_series(0, n - 1) as e(at)
     where s.xmin::text::bigint < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     order by s.xmin::text::bigint, position`,
  );
  return rows.map(({ position }) => position);
}

/**
 * Waits for all of them: the fence is the same for the whole server, so a transaction of another spec file may delay
 * it.
 */
const allFenced = (fixture: PostgresFixture): Promise<string[]> =>
  until('the fence to pass every event', async () => {
    const positions = await fenced(fixture);
    return positions.length >= EVENTS ? positions : null;
  });

describe('the log with several writing processes', () => {
  let fixture: PostgresFixture;
  beforeAll(async () => {
    fixture = await openPostgresStore();
    await fixture.store.append([defineQueue('q')]);
  });
  afterAll(() => fixture.close());

  it('gives a follower every event once, in the same order as the transaction fence', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const follow = async (): Promise<void> => {
      for await (const events of fixture.store.subscribe(0n, { signal: stop.signal, batchSize: 50, heartbeatMs: 5 })) {
        seen.push(...events.map(({ position }) => position.toString()));
        if (seen.length >= EVENTS) stop.abort();
      }
    };
    const following = follow();
    await Promise.all(Array.from({ length: PROCESSES }, (_, index) => write(fixture.url, index + 1)));
    await following;
    expect(seen).toHaveLength(EVENTS);
    expect(seen).toEqual(await allFenced(fixture));
    expect(new Set(seen).size).toBe(EVENTS);
  });
});
