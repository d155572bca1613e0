// Runs the tests of the dashboard in Chromium: that of CHROMIUM_PATH, or the first one on the PATH.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const chromium = process.env.CHROMIUM_PATH || onThePath();
if (chromium === undefined || !isProgram(chromium)) {
  console.error(
    `Expected to find Chromium ${chromium ? `at '${chromium}'` : 'on the PATH'}, but there is none: install it (on Debian, apt-get install chromium), or name its program in CHROMIUM_PATH`,
  );
  process.exit(1);
}
const parts = process.argv.length > 2 ? process.argv.slice(2) : ['test/browser'];
// jest.config.mjs leaves these tests out: they need a browser.
const jest = ['node_modules/jest/bin/jest.js', ...parts, '--testPathIgnorePatterns', '/node_modules/'];
const run = spawn(process.execPath, jest, { stdio: 'inherit', env: { ...process.env, CHROMIUM_PATH: chromium } });
const [code] = await once(run, 'exit');
process.exitCode = code ?? 1;

function onThePath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
