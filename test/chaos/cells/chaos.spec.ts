import { appendFileSync } from 'node:fs';
import { OwnPostgres } from '../own-postgres.js';
import { runCell } from './cell.js';
import { CELLS } from './cells.js';

// Run by `npm run chaos`, which says how long, which cell, and where to write the results.
const { CHAOS_MINUTES, CHAOS_CELL, CHAOS_RESULTS, EVENT_STORE_URL } = process.env;

/** Left out of a short run: the service gives a connection up after 30 s without an answer. */
const LONG = CHAOS_MINUTES === undefined ? ['half-open connections'] : [];

/** Left out with the events in EventStoreDB: only what is in Postgres goes back. */
const OF_POSTGRES = EVENT_STORE_URL ? ['restores'] : [];

const possible = Object.keys(CELLS).filter((name) => !OF_POSTGRES.includes(name));
const chosen = possible.filter((name) => (CHAOS_CELL === undefined ? !LONG.includes(name) : name === CHAOS_CELL));
if (chosen.length === 0) throw new Error(`Expected a cell of ${possible.join(', ')}, but got '${CHAOS_CELL}'`);

/** What a cell needs before and after its fault. */
const AROUND_MS = 10_000;
const PATIENCE_MS = 300_000;
const SHORTEST_MS = 1_000;
const FAULT_MS = Math.max(SHORTEST_MS, (Number(CHAOS_MINUTES ?? 0) * 60_000) / chosen.length - AROUND_MS);

describe('a run', () => {
  let postgres: OwnPostgres;
  beforeAll(async () => {
    postgres = await OwnPostgres.start();
  });
  afterAll(() => postgres.remove());

  it.each(chosen)(
    'under %s breaks no promise, and every task ends',
    async (name) => {
      const result = await runCell(await CELLS[name]!(), postgres, FAULT_MS);
      const violations = result.violations.map(({ invariant, says }) => `${invariant}: ${says}`);
      if (CHAOS_RESULTS) appendFileSync(CHAOS_RESULTS, `${JSON.stringify({ cell: name, ...result, violations })}\n`);
      expect(violations).toEqual([]);
      expect(result.faults).toBeGreaterThan(0);
    },
    FAULT_MS + PATIENCE_MS,
  );
});
