// Shows every component of the dashboard in each of its states, without a service: `npm run kit` serves the page until it is stopped.
// `-- FOLDER` keeps its pictures in the folder instead, light and dark, wide and narrow, with the Chromium of CHROMIUM_PATH.
import { context } from 'esbuild';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { bundleKit } from './dashboard.mjs';

const WIDTHS = { wide: 1_440, narrow: 390 };

const folder = await mkdtemp(join(tmpdir(), 'waybill-kit-'));
await bundleKit(folder);
const server = await (await context({})).serve({ servedir: folder, host: '127.0.0.1' });
const url = `http://127.0.0.1:${server.port}/`;
const pictures = process.argv[2];
if (pictures) {
  await photograph(pictures);
  process.exit();
}
console.log(url);

async function photograph(place) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, width] of Object.entries(WIDTHS)) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' });
      await page.goto(url);
      await page.locator('.uplot canvas').waitFor();
      await page.screenshot({ path: join(place, `kit-${colorScheme}-${name}.png`), fullPage: true });
      await page.close();
    }
  }
  await browser.close();
}
