import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A retry and the read models of a busy machine take their time. */
const PATIENCE_MS = 120_000;
/** What comes late, such as the graph of a queue. */
const SETTLES_MS = 700;

/** From the first look to the recovery, one frame for each thing that a person sees. */
export async function record(browser, { dashboard, queue }, images) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-frames-'));
  const page = await browser.newPage({
    viewport: { width: 1_120, height: 700 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(PATIENCE_MS);
  const frames = [];
  const frame = async (seconds) => {
    await page.waitForTimeout(SETTLES_MS);
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
  await page.getByRole('region', { name: 'What changed before' }).getByText('Build 42 began').waitFor();
  await frame(12);
  await page
    .getByRole('link', { name: /^charge-/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Compare with the last success' }).waitFor();
  await frame(8);
  await page.getByRole('button', { name: 'Compare with the last success' }).click();
  await page.getByText('Before:').waitFor();
  await frame(8);
  await page.goBack();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByLabel('Reason, for the history').waitFor();
  await frame(6);
  await page.getByLabel('Reason, for the history').focus();
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
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('dialog').getByLabel('Reason, for the history').focus();
  await page.keyboard.type('the route to db-3 is back');
  await frame(5);
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('resolved', { exact: true }).first().waitFor();
  await frame(4);
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
    '-lossless',
    '-q',
    '75',
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
