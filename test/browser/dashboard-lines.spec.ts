import type { Waybill } from '@waybill/client';
import type { Locator, Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, inaccessible, overhang, picture, startBrowser } from './chromium.js';
import { type BigBatch, bigBatch } from './scenes/big-batch.js';
import { type Incident, incident } from './scenes/incident.js';
import { atOnce, succeed, work } from './scenes/stage.js';

let service: RunningService;
let browser: DashboardBrowser;
let waybill: Waybill;
let scene: Incident;
let big: BigBatch;
beforeAll(async () => {
  service = await startService();
  waybill = service.waybill;
  browser = await startBrowser(service.url);
  scene = await incident(atOnce(service.as));
  big = await bigBatch(atOnce(service.as));
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

async function groupOf(text: string): Promise<string> {
  for await (const { id, message } of waybill.failures.list()) if (message?.includes(text)) return id;
  throw new Error(`Expected a group of failures with '${text}', but there is none`);
}

/** Retries the group on its page, five first, and returns the part of the page that shows what becomes of them. */
async function retry(page: Page) {
  await page.getByRole('button', { name: 'Retry' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel(/Try 5 first/).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await dialog.waitFor({ state: 'detached' });
  return page.getByRole('region', { name: 'Recovery' });
}

const topOf = async (part: Locator): Promise<number> => (await part.boundingBox())!.y;

const ONE_LINE_PX = 32;

describe('the retry of a group', () => {
  it('D-08 tries five, says that they succeeded, goes on, and shows the recovery until all have ended', async () => {
    const page = await browser.open(`failures/${await groupOf('ETIMEDOUT')}`);
    const recovery = await retry(page);
    // The newest of them no longer have an error that tells which number is the same in all.
    await page.getByText('63 tasks failed now').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('(db-3)');
    await work(waybill, { queue: scene.queue, count: 5, verdict: succeed });
    await recovery.getByText('Of the first 5 tasks, 5 succeeded, 0 failed: so the others followed.').waitFor();
    await work(waybill, { queue: scene.queue, count: 63, verdict: succeed });
    await recovery.getByText('68 succeeded').waitFor();
    await recovery.getByText('0 still open').waitFor();
    await page.getByText('0 tasks failed now').waitFor();
    expect(await page.getByRole('button', { name: 'Retry', exact: true }).count()).toBe(0);
    await page.getByRole('img', { name: '3 open' }).waitFor();
    expect(await recovery.getByRole('status').getAttribute('aria-label')).toContain('Of 68 tasks: 68 succeeded');
    await page.setViewportSize({ width: 390, height: 844 });
    expect((await recovery.getByRole('heading').boundingBox())!.height).toBeLessThan(ONE_LINE_PX);
    await recovery.getByRole('link', { name: /^retry by/ }).click();
    await page.getByRole('heading', { name: 'Retry 68 tasks', exact: true }).waitFor();
    await page.close();
  });

  it('D-08 stops if they fail again, and leaves the others alone', async () => {
    const page = await browser.open(`failures/${await groupOf('card_declined')}`);
    await page.route(`**/v1/queues/${scene.queue}/stats*`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), unattended: true } });
    });
    const recovery = await retry(page);
    await recovery.getByText(`No worker asks for tasks of ${scene.queue}`).waitFor();
    const error = { class: 'application' as const, message: 'card_declined: insufficient funds for order 7' };
    await work(waybill, { queue: scene.queue, count: 5, verdict: () => ({ type: 'fail', error }) });
    await recovery.getByText('Of the first 5 tasks, 0 succeeded, 5 failed: so the others were left alone.').waitFor();
    await recovery.getByText('5 failed again').waitFor();
    await picture(page, 'failure, stopped');
    expect((await waybill.queue(scene.queue).stats()).counts.pending ?? 0).toBe(0);
    await page.close();
  });
});

describe('what was different', () => {
  it('D-17 of an amendment, of two attempts and of two tasks is marked, also by text', async () => {
    const queue = waybill.queue('letters');
    await queue.define({ onFailure: 'fail' });
    await queue.enqueue({ to: 'ann' }, { reference: 'well' });
    await work(waybill, { queue: 'letters', count: 1, verdict: succeed });
    const { id } = await queue.enqueue({ to: 'bob' }, { reference: 'badly' });
    await waybill.task(id).hold();
    await waybill.task(id).amend({ to: 'eve' }, { reason: 'a typing error' });
    await waybill.task(id).release();
    for (const message of ['no postal code', 'no country']) {
      if (message === 'no country') await waybill.task(id).retry();
      const [task] = await queue.claim({ worker: 'w', waitMs: 30_000 });
      const { taskId, token } = task!;
      await waybill.settle([{ taskId, token, verdict: { type: 'fail', error: { class: 'bug', message } } }]);
    }
    const page = await browser.open(`tasks/${id}`);
    await page.getByText('What is different from the one before').click();
    await page.getByText('− "no postal code"').waitFor();
    await page.getByText('+ "no country"').waitFor();
    await page.locator('b', { hasText: 'Task payload amended' }).click();
    await page.getByText('− "bob"').waitFor();
    await page.getByText('+ "eve"').waitFor();
    await page.getByRole('button', { name: 'Compare with the last success' }).click();
    const compared = page.getByRole('region', { name: 'What was different?' });
    await compared.getByText('− "ann"').waitFor();
    await compared.getByText('+ "eve"').waitFor();
    expect(await page.getByText('changed', { exact: true }).count()).toBeGreaterThanOrEqual(3);
    await picture(page, 'differences');
    await page.close();
  });

  it('D-17 of two versions of a policy', async () => {
    const page = await browser.open(`queues/${scene.queue}?tab=policy&from=1&to=2`);
    const diff = page.getByRole('region', { name: 'Version 2 beside version 1' });
    await diff.getByText('leaseMs').waitFor();
    await diff.getByText('+ 1 min').waitFor();
    await diff.getByText('changed', { exact: true }).waitFor();
    expect(await diff.getByText(/^− /).count()).toBe(1);
    await page.close();
  });
});

describe('the batch of these 400 tasks', () => {
  it('says what keeps it, lists what runs before what waits, and cuts nothing at the right', async () => {
    const page = await browser.open(`batches/${big.batch}`, { width: 1_280 });
    await page.getByText(/^bind volume 25 waits for read volume 25 part 4: failed\.$/).waitFor();
    const failed = page.getByRole('region', { name: 'What failed' });
    await failed.getByText('application: Expected 300 dpi, but the picture has 72').waitFor();
    const runs = page.getByRole('region', { name: 'What runs' });
    expect(await runs.locator('tbody tr').count()).toBe(4);
    await page.getByText('The latest 25 only: failed, running, ended').waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    expect(await timeline.getByRole('img', { name: /attempt 1 by reader-1/ }).count()).toBe(4);
    expect(await page.locator('[role=group][aria-label=Tasks]').count()).toBe(0);
    await picture(page, 'batch, large');
    await page.close();
  });
});

describe('a graph of 400 tasks', () => {
  const nodes = (page: Page) => page.locator('[data-node]');

  it('D-19 folds what is alike, shows the failed path, moves, zooms, fits, and has a map, a list and a keyboard', async () => {
    const page = await browser.open(`batches/${big.batch}/graph`, { width: 1_440 });
    await page.getByText(/^400 tasks/).waitFor();
    const drawn = await nodes(page).count();
    expect(drawn).toBeLessThan(20);
    expect(await page.locator('path[data-cause]').count()).toBeGreaterThanOrEqual(1);
    await page.getByText(/waits for .*: failed\./).waitFor();
    const graph = page.getByRole('group', { name: 'Tasks and what they wait for' });
    const box = async (): Promise<number[]> => (await graph.getAttribute('viewBox'))!.split(' ').map(Number);
    const [x, , width] = await box();
    const zoom = page.getByRole('button', { name: 'Zoom in' });
    for (let n = 0; n < 3; n++) await zoom.click();
    expect((await box())[2]).toBeLessThan(width!);
    expect(await page.locator('svg[preserveAspectRatio] rect').count()).toBe(drawn + 1);
    await page.getByRole('region', { name: /^Graph/ }).press('ArrowRight');
    await page.getByRole('button', { name: 'Show all of it' }).click();
    expect(await box()).toEqual([x, (await box())[1], width, (await box())[3]]);
    expect(await reached(page)).toBe(drawn);
    expect(await page.locator('main tbody tr').count()).toBe(drawn);
    expect(await inaccessible(page)).toEqual([]);
    await page.close();
  });

  /** How many nodes Tab stops at, from the graph on. */
  async function reached(page: Page): Promise<number> {
    await page.getByRole('region', { name: /^Graph/ }).focus();
    for (let stops = 0; ; stops++) {
      await page.keyboard.press('Tab');
      if (!(await page.evaluate(`document.activeElement.closest('svg') !== null`))) return stops;
    }
  }
});

describe('on a phone', () => {
  it('D-20 rows are cards with the failed number first, and every action is in reach', async () => {
    const page = await browser.open('queues', { width: 390, height: 844 });
    const card = page.locator('main tbody tr').filter({ has: page.getByRole('link', { name: scene.queue }) });
    await card.waitFor();
    expect(await page.evaluate(`getComputedStyle(document.querySelector('main tbody tr')).display`)).toBe('flex');
    const [name, failed, waiting] = await Promise.all(
      [
        card.getByRole('link', { name: scene.queue }),
        card.locator('[data-title=Failed]'),
        card.locator('[data-title=Succeeded]'),
      ].map(async (part) => (await part.boundingBox())!),
    );
    expect([name!.y < failed!.y, failed!.y < waiting!.y]).toEqual([true, true]);
    await page.getByRole('link', { name: scene.queue }).first().click();
    await page.getByRole('heading', { name: scene.queue }).waitFor();
    for (const button of ['Pause', 'Close intake', 'More']) {
      const { x, width, height } = (await page.getByRole('main').getByRole('button', { name: button }).boundingBox())!;
      expect([button, x >= 0, x + width <= 390, height >= 24]).toEqual([button, true, true, true]);
    }
    const nav = (await page.getByRole('navigation', { name: 'Pages' }).boundingBox())!;
    expect(Math.round(nav.y + nav.height)).toBe(844);
    await page.getByRole('button', { name: 'Pause' }).click();
    const dialog = (await page.getByRole('dialog').boundingBox())!;
    expect([dialog.x >= 0, dialog.x + dialog.width <= 390, await overhang(page)]).toEqual([true, true, 0]);
    await picture(page, 'phone, a dialog');
    await page.close();
  });
});

describe('a batch on a phone', () => {
  it('D-20 says how far it is and what failed first, task by task with the error, and cuts nothing', async () => {
    const page = await browser.open(`batches/${big.batch}`, { width: 390, height: 844 });
    const failed = page.getByRole('region', { name: 'What failed' });
    const error = failed.getByText('application: Expected 300 dpi, but the picture has 72');
    await error.waitFor();
    const [head, about] = await Promise.all(
      [failed.getByRole('heading'), page.getByRole('region', { name: 'About' })].map(async (part) => topOf(part)),
    );
    expect([head! < 2 * 844, head! < about!]).toEqual([true, true]);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('main tbody tr')).display`)).toBe('flex');
    const bars = page.getByRole('region', { name: 'Timeline' }).getByRole('img', { name: /attempt 1 by/ });
    for (const bar of await bars.all()) {
      const { x, width } = (await bar.boundingBox())!;
      expect([x >= 0, Math.round(x + width) <= 390]).toEqual([true, true]);
    }
    const name = page.getByRole('region', { name: 'Timeline' }).getByRole('link').first();
    expect(await name.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(false);
    expect(await error.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(false);
    expect([await overhang(page), await inaccessible(page)]).toEqual([0, []]);
    await picture(page, 'phone, a batch');
    await page.close();
  });
});

describe('a service that goes away', () => {
  it('D-21 is one quiet line that says since when, no page is lost, and it goes on by itself', async () => {
    const page = await browser.open('queues');
    const row = page.getByRole('link', { name: scene.queue, exact: true });
    await row.waitFor();
    await page.context().setOffline(true);
    const line = page.getByText(/The service does not answer. This is what it said at/);
    await line.waitFor();
    expect(await line.count()).toBe(1);
    expect(await line.locator('time').count()).toBe(1);
    expect(await row.isVisible()).toBe(true);
    await waybill.queue('made-meanwhile').define();
    await page.getByRole('link', { name: 'Triggers' }).click();
    await page.getByText('Not loaded yet: the service does not answer.').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await picture(page, 'silent');
    await page.context().setOffline(false);
    await line.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Triggers', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'made-meanwhile', exact: true }).waitFor();
    await page.close();
  });
});
