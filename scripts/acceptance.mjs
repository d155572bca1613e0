import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { acceptanceFiles, asJson, report, resultsBySource, unknownIds, unproving } from './acceptance-result.mjs';
import { eventsElsewhere } from './eventstoredb-fixture.mjs';

// Prints which acceptance lines pass. `--mode eventstoredb` runs the tests with the events there: on the server of
// EVENT_STORE_URL, or on the test fixture. `--from FILE` reads a Jest result instead of running the tests, several times those of
// several runs: lines of the dashboard are proven in `npm run test:browser` only, and are missing without its result.
// `npm run --silent acceptance -- --json` prints the form for programs. Ends with 1 when an
// acceptance test failed or proves nothing; a missing line is no failure.

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    from: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean' },
    mode: { type: 'string', default: 'postgres' },
  },
});
if (!['postgres', 'eventstoredb'].includes(options.mode)) {
  throw new Error(`Expected '--mode' to be 'postgres' or 'eventstoredb', but it is '${options.mode}'`);
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-acceptance-'));
  const output = join(folder, 'result.json');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  // Standard output is for this script's own result.
  const run = spawn(process.execPath, [jest, 'test/acceptance/', '--json', `--outputFile=${output}`], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: environment(),
  });
  await once(run, 'exit');
  const result = readJson(output);
  rmSync(folder, { recursive: true });
  return result;
}

/** Says where the tests' events go. */
function environment() {
  const { EVENT_STORE_URL, ...rest } = process.env;
  return options.mode === 'postgres' ? rest : { ...rest, ...eventsElsewhere(EVENT_STORE_URL) };
}

const stated = readJson(join(root, 'test/acceptance/lines.json'));
const ofHistory = readJson(join(root, 'test/acceptance/history/lines.json'));
const lines = [...stated, ...ofHistory];
const files = acceptanceFiles(...(options.from.length > 0 ? options.from.map(readJson) : [await runTests()]));
const tests = files.flatMap(({ assertionResults }) => assertionResults);
const sources = resultsBySource(lines, tests);
if (!options.json) console.log(`events in ${options.mode === 'postgres' ? 'Postgres' : 'EventStoreDB'}`);
if (options.json) console.log(asJson(sources));
else for (const part of [stated, ofHistory]) console.log(report(resultsBySource(part, tests)));

const unknown = unknownIds(lines, tests);
if (unknown.length > 0) console.error(`Expected ids of known lines, but these are none: ${unknown.join(' ')}`);
for (const { name, message } of files.filter(({ status }) => status === 'failed')) console.error(`${name}\n${message}`);
const idle = unproving(tests);
if (idle.length > 0) console.error(`Expected each test to prove its line, but:\n  ${idle.join('\n  ')}`);
const failed = files.length === 0 || files.some(({ status }) => status === 'failed');
process.exitCode = failed || unknown.length > 0 || idle.length > 0 ? 1 : 0;
