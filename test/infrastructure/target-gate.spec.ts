import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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

const entryTo = (target: string, ms = 60_000) => ({ target, delivery: uuidv7(), most: 3, ms, isHost: true });
const hosts = (function* () {
  for (let at = 1; ; at++) yield `host-${at}.example.com`;
})();
const newHost = (): string => hosts.next().value!;
/** A host that took its last delivery. */
async function provenHost(): Promise<string> {
  const entry = entryTo(newHost());
  expect(await gates[0]!.enter(entry)).toEqual({ kind: 'open' });
  await gates[0]!.leave(entry, { kind: 'done', ranMs: 5 });
  return entry.target;
}
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
    const target = await provenHost();
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => gates[at % 2]!.enter(entryTo(target))));
    expect(all.filter(({ kind }) => kind === 'open')).toHaveLength(3);
    const waits = all.flatMap((one) => (one.kind === 'busy' ? [one.waitMs] : []));
    expect(waits).toHaveLength(17);
    expect(new Set(waits).size).toBeGreaterThan(1);
    expect(await gates[0]!.enter(entryTo(newHost()))).toEqual({ kind: 'open' });
  });

  it('gives a place to the next one when a delivery leaves, or its process died', async () => {
    const target = await provenHost();
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
    const target = await provenHost();
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

describe('the gate of hosts that have not shown that they answer', () => {
  type Entries = readonly ReturnType<typeof entryTo>[];
  /** Three deliveries to each of so many new hosts. */
  const entriesTo = (count: number): Entries =>
    Array.from({ length: count }, newHost).flatMap((host) => [entryTo(host), entryTo(host), entryTo(host)]);
  const openOf = async (entries: Entries): Promise<Entries> => {
    const kinds = await Promise.all(entries.map((entry, at) => gates[at % 2]!.enter(entry)));
    return entries.filter((_, at) => kinds[at]!.kind === 'open');
  };
  beforeEach(() => pools[0]!.query('delete from delivery_targets'));

  it('lets one pass to each, and leaves room for another new one', async () => {
    const hanging = await openOf(entriesTo(30));
    expect(new Set(hanging.map(({ target }) => target)).size).toBe(30);
    expect(hanging).toHaveLength(30);
    expect(await openOf([entryTo(newHost())])).toHaveLength(1);
  });

  it('lets half as many as a steward has slots pass to all of them, and is open for hosts that answer', async () => {
    const proven = await provenHost();
    expect(await openOf(entriesTo(50))).toHaveLength(32);
    expect(await openOf([entryTo(proven), entryTo(proven), entryTo(proven)])).toHaveLength(3);
  });

  it('keeps a place in the line for each host, not for each delivery', async () => {
    await openOf(entriesTo(32));
    const waitsOf = async (entry: Entries[number]): Promise<number> => {
      const admission = await gates[0]!.enter(entry);
      return admission.kind === 'busy' ? admission.waitMs : 0;
    };
    const host = newHost();
    await pools[0]!.query(`update delivery_targets set pace_ms = 10000 where target = '(new hosts)'`);
    const first = entryTo(host);
    await waitsOf(first);
    for (let at = 0; at < 20; at++) await waitsOf(entryTo(host));
    const wait = await waitsOf(entryTo(newHost()));
    expect(wait).toBeGreaterThan(10_000);
    expect(wait).toBeLessThanOrEqual(20_000);
  });

  it('gives the place of one that failed to the next new one, and lets those that failed share fewer', async () => {
    const hanging = await openOf(entriesTo(32));
    const next = entryTo(newHost());
    expect(await openOf([next])).toHaveLength(0);
    for (const entry of hanging) await gates[0]!.leave(entry, FAILED);
    const again = await openOf(hanging.map(({ target }) => entryTo(target)));
    expect(again).toHaveLength(16);
    expect(await openOf([next])).toHaveLength(1);
    await Promise.all(again.map((entry) => gates[0]!.leave(entry, { kind: 'done', ranMs: 5 })));
    expect(
      await openOf(again.flatMap(({ target }) => [entryTo(target), entryTo(target), entryTo(target)])),
    ).toHaveLength(48);
  });
});
