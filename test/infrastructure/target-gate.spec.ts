import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { PostgresTargetGate } from '../../src/infrastructure/deliveries/postgres-target-gate.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
/** Of two processes. */
let pools: readonly PostgresPool[];
let gates: readonly PostgresTargetGate[];
beforeAll(async () => {
  database = await createTestDatabase();
  pools = [1, 2].map(() => new PostgresPool({ url: database.url, size: 2 }));
  gates = pools.map((pool) => new PostgresTargetGate(pool));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
});

const entryTo = (target: string, ms = 60_000) => ({ target, delivery: uuidv7(), most: 3, ms });
const hosts = (function* () {
  for (let at = 1; ; at++) yield `host-${at}.example.com`;
})();
const newHost = (): string => hosts.next().value!;
const FAILED = { kind: 'failed', error: 'no answer', ranMs: 10 } as const;

async function failing(times: number): Promise<string> {
  const target = newHost();
  for (let at = 0; at < times; at++) {
    const entry = entryTo(target);
    await pools[0]!.query(`update delivery_targets set closed_until = null where target = $1`, [target]);
    expect(await gates[0]!.enter(entry)).toEqual({ kind: 'open' });
    await gates[0]!.leave(entry, FAILED);
  }
  return target;
}

const pauseOf = async (target: string): Promise<number> => {
  const { rows } = await pools[0]!.query<{ seconds: number }>(
    'select extract(epoch from closed_until - failed_at)::float8 as seconds from delivery_targets where target = $1',
    [target],
  );
  return Math.round(rows[0]!.seconds);
};

describe('the gate of a target', () => {
  it('lets at most some pass at once, from all processes together', async () => {
    const target = newHost();
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => gates[at % 2]!.enter(entryTo(target))));
    expect(all.filter(({ kind }) => kind === 'open')).toHaveLength(3);
    const waits = all.flatMap((one) => (one.kind === 'busy' ? [one.waitMs] : []));
    expect(waits).toHaveLength(17);
    expect(new Set(waits).size).toBeGreaterThan(1);
    expect(await gates[0]!.enter(entryTo(newHost()))).toEqual({ kind: 'open' });
  });

  it('gives a place to the next one when a delivery leaves, or its process died', async () => {
    const target = newHost();
    const first = entryTo(target);
    for (const one of [first, entryTo(target, 1), entryTo(target)]) await gates[0]!.enter(one);
    await gates[0]!.leave(first, { kind: 'done', ranMs: 5 });
    expect((await gates[1]!.enter(entryTo(target))).kind).toBe('open');
    await pools[0]!.query('select pg_sleep(0.01)');
    expect((await gates[1]!.enter(entryTo(target))).kind).toBe('open');
    expect((await gates[1]!.enter(entryTo(target))).kind).toBe('busy');
  });

  it('takes a delivery that comes again for the same one', async () => {
    const entry = entryTo(newHost());
    for (let at = 0; at < 4; at++) expect((await gates[at % 2]!.enter(entry)).kind).toBe('open');
  });

  it('makes nobody wait longer than ten minutes', async () => {
    const target = newHost();
    for (let at = 0; at < 3; at++) await gates[0]!.enter(entryTo(target));
    await pools[0]!.query(`update delivery_targets set pace_ms = 1e6 where target = $1`, [target]);
    for (let at = 0; at < 3; at++) {
      const admission = await gates[0]!.enter(entryTo(target));
      expect(admission.kind === 'busy' && admission.waitMs <= 600_000).toBe(true);
    }
  });

  it('is closed after three failures in a row, from all processes, and says why', async () => {
    const target = await failing(3);
    expect(await gates[1]!.enter(entryTo(target))).toMatchObject({ kind: 'failing', failures: 3, error: 'no answer' });
  });

  it.each([
    [3, 15],
    [4, 30],
    [7, 240],
    [8, 300],
    [30, 300],
  ])('after %d failures pauses %d s', async (failures, seconds) => {
    expect(await pauseOf(await failing(failures))).toBe(seconds);
  });

  it('after the pause lets one try, and opens with its success', async () => {
    const target = await failing(3);
    await pools[0]!.query(`update delivery_targets set closed_until = now() where target = $1`, [target]);
    const trial = entryTo(target);
    expect(await gates[0]!.enter(trial)).toEqual({ kind: 'open' });
    expect((await gates[1]!.enter(entryTo(target))).kind).toBe('failing');
    await gates[0]!.leave(trial, { kind: 'done', ranMs: 5 });
    for (let at = 0; at < 3; at++) expect((await gates[1]!.enter(entryTo(target))).kind).toBe('open');
  });

  it('stays open if failures are not in a row, or not the fault of the target', async () => {
    const target = await failing(2);
    const [fine, own] = [entryTo(target), entryTo(target)];
    await gates[0]!.enter(own);
    await gates[0]!.leave(own, { kind: 'neither', ranMs: 5 });
    await gates[0]!.enter(fine);
    await gates[0]!.leave(fine, { kind: 'done', ranMs: 5 });
    const bad = entryTo(target);
    await gates[0]!.enter(bad);
    await gates[0]!.leave(bad, FAILED);
    expect((await gates[0]!.enter(entryTo(target))).kind).toBe('open');
  });
});
