// Runs the tests of the dashboard in one Chromium: that of CHROMIUM_PATH, or the first one on the PATH.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { FOR_JEST } from './short-lived.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const program = process.env.CHROMIUM_PATH || onThePath();
if (program === undefined || !isProgram(program)) {
  console.error(
    `Expected to find Chromium ${program ? `at '${program}'` : 'on the PATH'}, but there is none: install it (on Debian, apt-get install chromium), or name its program in CHROMIUM_PATH`,
  );
  process.exit(1);
}
const parts = process.argv.length > 2 ? process.argv.slice(2) : ['test/browser'];
// jest.config.mjs leaves these tests out: they need a browser.
const jest = [...FOR_JEST, 'node_modules/jest/bin/jest.js', ...parts, '--testPathIgnorePatterns', '/node_modules/'];
// Each spec file has a connection of its own, whose pages it closes.
// There is no graphics card, and imitating one costs a tenth. Windows of one service share a process.
const args = ['--disable-gpu', '--disable-software-rasterizer', '--process-per-site'];
const browser = await chromium.launchServer({ executablePath: program, args });
const env = { ...process.env, CHROMIUM_URL: browser.wsEndpoint() };
const [code] = await once(spawn(process.execPath, jest, { stdio: 'inherit', env }), 'exit');
await browser.close();
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
