// Runs the service under faults and pressure, checks the history of every run, and prints a table. `--cell NAME`: only
// that one. `--minutes N`: how long all of it takes, about; without it, each fault goes on for a moment only.
// `--events eventstoredb`: with the events there, on the server of EVENT_STORE_URL or on the test fixture; `--kurrentdb`: on
// the fixture as a server of 25.1.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { KURRENT, startFixture } from './eventstoredb-fixture.mjs';

const { values: options } = parseArgs({
  options: {
    cell: { type: 'string' },
    minutes: { type: 'string' },
    events: { type: 'string', default: 'postgres' },
    kurrentdb: { type: 'boolean', default: false },
  },
});
if (!['postgres', 'eventstoredb'].includes(options.events))
  throw new Error(`Expected '--events' to be 'postgres' or 'eventstoredb', but it is '${options.events}'`);
if (options.minutes !== undefined && !(Number(options.minutes) > 0))
  throw new Error(`Expected '--minutes' to be a number above 0, but it is '${options.minutes}'`);

async function eventStore() {
  const given = process.env.EVENT_STORE_URL;
  return options.events === 'postgres' || given
    ? { url: given, stop() {} }
    : startFixture(options.kurrentdb ? KURRENT : {});
}

const COLUMNS = ['cell', 'seconds', 'faults', 'operations', 'unknown', 'events', 'archived', 'awayMs', 'violations'];

function table(results) {
  const rows = results.map((result) => ({ ...result, violations: result.violations.length }));
  const cells = [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => String(row[name] ?? '')))];
  const widths = COLUMNS.map((_, at) => Math.max(...cells.map((row) => row[at].length)));
  const line = (row) =>
    row.map((text, at) => (at === 0 ? text.padEnd(widths[at]) : text.padStart(widths[at]))).join('  ');
  return cells.map(line).join('\n');
}

const folder = mkdtempSync(join(tmpdir(), 'waybill-chaos-results-'));
const results = join(folder, 'results');
const store = await eventStore();
const env = { ...process.env, CHAOS_RESULTS: results };
if (options.cell !== undefined) env.CHAOS_CELL = options.cell;
if (options.minutes !== undefined) env.CHAOS_MINUTES = options.minutes;
if (options.events === 'postgres') delete env.EVENT_STORE_URL;
else env.EVENT_STORE_URL = store.url;
// jest.config.mjs leaves these tests out, because they need root and the machine for themselves.
const jest = [
  'node_modules/jest/bin/jest.js',
  'test/chaos/cells',
  '-i',
  '--forceExit',
  '--testPathIgnorePatterns',
  '/node_modules/',
];
const [code] = await once(spawn(process.execPath, jest, { stdio: 'inherit', env }), 'exit');
store.stop();
const lines = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : [];
rmSync(folder, { recursive: true });
console.log(
  `\nevents in ${options.events === 'postgres' ? 'Postgres' : 'EventStoreDB'}\n${table(lines.map((line) => JSON.parse(line)))}`,
);
process.exitCode = code ?? 1;
