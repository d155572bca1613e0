// Takes the pictures of the dashboard for the documentation, of the scenes of test/browser/scenes, and records the repair of an incident:
// `npm run pictures`, or `-- FOLDER` to keep them elsewhere. Needs Chromium and Debian's packages faketime, pngquant and webp.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const images = process.argv[2] ?? join(root, 'docs/images');
const program = join(root, 'test/dist/processes/test.browser.scenes.main.js');
const PORT = 3930;
/** What comes late, such as the courses of queues; the feed of changes never ends. */
const SETTLES_MS = 2_000;
/** A retry and the read models of a busy machine take their time. */
const PATIENCE_MS = 120_000;
const SIZE = { width: 1_280, height: 800 };

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
await inScene('incident', async (scene) => {
  await photograph(scene, {
    home: { route: '', seen: 'ETIMEDOUT' },
    queue: { route: 'queues/payments', seen: 'What fails' },
    task: { route: `tasks/${scene.failed}`, seen: 'Task claimed', act: compare },
    failure: {
      route: 'failures',
      seen: 'ETIMEDOUT',
      act: (page) => page.getByRole('link', { name: /ETIMEDOUT/ }).click(),
    },
    palette: { route: '', seen: 'ETIMEDOUT', act: pauseByName },
  });
  await record(scene);
});
await inScene('big-batch', (scene) =>
  photograph(scene, {
    batch: { route: `batches/${scene.batch}`, seen: 'What failed' },
    graph: { route: `batches/${scene.batch}/graph`, seen: 'waits for' },
  }),
);
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

/** From the first look to the recovery, one frame for each thing that a person sees. */
async function record({ dashboard, queue }) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-frames-'));
  const page = await browser.newPage({
    viewport: { width: 1_120, height: 700 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(PATIENCE_MS);
  const frames = [];
  const frame = async (seconds) => {
    const path = join(folder, `${frames.length}.png`);
    await page.screenshot({ path });
    frames.push(['-d', String(seconds * 1_000), path]);
  };
  await page.goto(dashboard);
  await page.getByText('ETIMEDOUT').first().waitFor();
  await frame(8);
  await page.getByRole('link', { name: /ETIMEDOUT/ }).hover();
  await frame(3);
  await page.getByRole('link', { name: /ETIMEDOUT/ }).click();
  await page.getByText('Build 42 began to work on payments').waitFor();
  await frame(12);
  await page
    .getByRole('link', { name: /^charge-/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Compare with the last success' }).waitFor();
  await frame(8);
  await compare(page);
  await frame(8);
  await page.goBack();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByLabel('Reason, for the history').waitFor();
  await frame(6);
  for (const typed of ['the', ' route to', ' db-3', ' is back']) {
    await page.keyboard.type(typed);
    await frame(1);
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  const recovery = page.getByRole('region', { name: 'Recovery' });
  await recovery.waitFor();
  await frame(6);
  for (const [count, seen] of [
    [5, 'so the others followed'],
    [20, /25 succeeded/],
    [20, /45 succeeded/],
    [23, /68 succeeded/],
  ]) {
    await succeed(new URL(dashboard).origin, queue, count);
    await recovery.getByText(seen).waitFor();
    await frame(6);
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('drain');
  await page.getByRole('option', { name: 'Drain the system' }).waitFor();
  await frame(6);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByText('the route to db-3 is back').first().waitFor();
  await frame(10);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByText(/needs? somebody/).waitFor();
  await frame(8);
  execFileSync('img2webp', [
    '-loop',
    '0',
    '-lossy',
    '-q',
    '60',
    '-m',
    '4',
    ...frames.flat(),
    '-o',
    join(images, 'incident.webp'),
  ]);
  await page.close();
  await rm(folder, { recursive: true });
}

/** A worker succeeds with so many tasks. */
async function succeed(url, queue, count) {
  const { createWaybill } = await import('@waybill/client');
  const waybill = createWaybill({ url });
  for (let done = 0; done < count;) {
    const tasks = await waybill
      .queue(queue)
      .claim({ worker: 'worker-1', build: '43', max: count - done, waitMs: 30_000 });
    await waybill.settle(tasks.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' } })));
    done += tasks.length;
  }
}
