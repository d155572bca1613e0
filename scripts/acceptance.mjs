import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { acceptanceFiles, asJson, report, resultsBySource, unknownIds } from './acceptance-result.mjs';

// Prints which acceptance lines pass. `--from FILE` reads a Jest result instead of running the tests; `--json`
// prints the form for programs. Ends with 1 when an acceptance test failed; a missing line is no failure.

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({ options: { from: { type: 'string' }, json: { type: 'boolean' } } });

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-acceptance-'));
  const output = join(folder, 'result.json');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  // Standard output is for this script's own result.
  spawnSync(process.execPath, [jest, 'test/acceptance/', '--json', `--outputFile=${output}`], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  const result = readJson(output);
  rmSync(folder, { recursive: true });
  return result;
}

const lines = readJson(join(root, 'test/acceptance/lines.json'));
const files = acceptanceFiles(options.from ? readJson(options.from) : runTests());
const tests = files.flatMap(({ assertionResults }) => assertionResults);
const sources = resultsBySource(lines, tests);
console.log(options.json ? asJson(sources) : report(sources));

const unknown = unknownIds(lines, tests);
if (unknown.length > 0) console.error(`Expected ids of known lines, but these are none: ${unknown.join(' ')}`);
for (const { name, message } of files.filter(({ status }) => status === 'failed')) console.error(`${name}\n${message}`);
process.exitCode = unknown.length > 0 || files.length === 0 || files.some(({ status }) => status === 'failed') ? 1 : 0;
