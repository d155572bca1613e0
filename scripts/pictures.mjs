// Takes the pictures of the dashboard for the documentation, of the scenes of test/browser/scenes and of two examples, and records the repair of
// an incident: `npm run pictures`, or `-- FOLDER` to keep them elsewhere, `-- --only incident,invoices` for some. Needs Chromium and Debian's
// packages faketime, pngquant and webp.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { record } from './recording.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const images = positionals[0] ?? join(root, 'docs/images');
const isAsked = (part) => values.only?.split(',').includes(part) ?? true;
const program = join(root, 'test/dist/processes/test.browser.scenes.main.js');
const PORT = 3930;
/** What comes late, such as the courses of queues; the feed of changes never ends. */
const SETTLES_MS = 2_000;
const SIZE = { width: 1_280, height: 800 };

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const PARTS = {
  incident: () =>
    inScene('incident', async (scene) => {
      await photograph(scene, {
        home: { route: '', seen: 'ETIMEDOUT' },
        queue: { route: 'queues/payments', seen: 'What fails' },
        task: { route: `tasks/${scene.failed}`, seen: 'Task claimed', act: compare },
        failure: { route: 'failures', seen: 'ETIMEDOUT', act: (page) => follow(page, /ETIMEDOUT/, 'Build 42') },
        palette: { route: '', seen: 'ETIMEDOUT', act: pauseByName },
      });
      await record(browser, scene, images);
    }),
  batch: () =>
    inScene('big-batch', (scene) =>
      photograph(scene, {
        graph: { route: `batches/${scene.batch}/graph`, seen: 'waits for' },
      }),
    ),
  invoices: () =>
    afterExample('invoices', [], (scene) =>
      photograph(scene, {
        'invoices-queue': { route: 'queues/invoices', seen: 'What fails' },
        'invoices-failures': { route: 'failures', seen: 'Expected the amount to pay' },
        'invoices-item': {
          route: 'tasks?q=queue:invoices state:failed error:"add up"',
          seen: 'BR-CO-16',
          act: async (page) => {
            await page.getByRole('row').filter({ hasText: 'BR-CO-16' }).first().getByRole('link').first().click();
            await page.getByText('Why it is here').waitFor();
          },
        },
      }),
    ),
  repository: () =>
    afterExample('repository', ['docs/tutorials'], (scene) =>
      photograph(scene, {
        'repository-submissions': { route: 'batches', seen: 'files.checkm' },
        'repository-submission': {
          route: 'batches',
          seen: 'files.checkm',
          act: (page) => follow(page, 'files.checkm', 'What failed'),
        },
        'repository-job': {
          route: 'tasks?q=queue:repository-jobs state:failed',
          seen: 'sha256',
          act: async (page) => {
            await page.getByRole('row').filter({ hasText: 'sha256' }).first().getByRole('link').first().click();
            await page.getByText('Why it is here').waitFor();
          },
        },
      }),
    ),
};
for (const [part, take] of Object.entries(PARTS)) if (isAsked(part)) await take();
await browser.close();

/** Tells a scene, and calls back with what leads to its pages. */
async function inScene(name, use) {
  const told = spawn(process.execPath, [program, name, String(PORT)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(told.stdout), 'line');
  try {
    await use(JSON.parse(line));
  } finally {
    told.kill('SIGTERM');
    await once(told, 'exit');
  }
}

async function photograph({ dashboard }, pictures) {
  for (const [name, { route, seen, act }] of Object.entries(pictures)) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: SIZE, colorScheme, reducedMotion: 'reduce' });
      await page.goto(`${dashboard}#/${route}`);
      await page.getByText(seen).first().waitFor();
      await act?.(page);
      await page.waitForTimeout(SETTLES_MS);
      const path = join(images, `${name}-${colorScheme}.png`);
      await page.screenshot({ path });
      execFileSync('pngquant', ['--force', '--skip-if-larger', '--quality', '70-95', '--output', path, path]);
      await page.close();
    }
  }
}

async function compare(page) {
  await page.getByRole('button', { name: 'Compare with the last success' }).click();
  await page.getByText('Before:').waitFor();
}

async function pauseByName(page) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('pause pay');
  await page.getByRole('option', { name: 'Pause queue payments' }).waitFor();
}

/** Runs an example on a database of its own to its end, starts the service on it again, and calls back with its dashboard. */
async function afterExample(name, args, use) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-pictures-'));
  // Postgres runs as another person if this one is root.
  await chmod(folder, 0o755);
  const env = { ...process.env, WAYBILL_DATA_DIR: folder, PORT: String(PORT) };
  execFileSync(process.execPath, ['scripts/example.mjs', name, ...args], { cwd: root, env, stdio: ['ignore', 2, 2] });
  const service = spawn(process.execPath, ['dist/main.js'], { cwd: root, env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${PORT}`;
  try {
    while (!(await fetch(`${url}/v1/system`).catch(() => null))?.ok) await pause(SETTLES_MS / 10);
    await use({ dashboard: `${url}/dashboard/` });
  } finally {
    service.kill('SIGTERM');
    await once(service, 'exit');
    await rm(folder, { recursive: true });
  }
}

async function follow(page, name, seen) {
  await page.getByRole('link', { name }).first().click();
  await page.getByText(seen).first().waitFor();
}
