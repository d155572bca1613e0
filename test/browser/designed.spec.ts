import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, startBrowser } from './chromium.js';
import { work } from './scenes/stage.js';

let service: RunningService;
let browser: DashboardBrowser;
let failed: string;
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser(service.url);
  const queue = service.waybill.queue('search-index');
  await queue.define({ onFailure: 'fail', leaseMs: 45_000 });
  failed = (await queue.enqueue()).id;
  const error = { class: 'bug' as const, message: 'no index' };
  await work(service.waybill, { queue: 'search-index', count: 1, verdict: () => ({ type: 'fail', error }) });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const styleOf = (of: Locator, property: string): Promise<string> =>
  of.evaluate(
    (element, name) => element.ownerDocument.defaultView!.getComputedStyle(element).getPropertyValue(name),
    property,
  );

const boxOf = async (of: Locator) => (await of.boundingBox())!;

/** Where the middle of something is, from the top. */
async function middleOf(of: Locator): Promise<number> {
  const { y, height } = await boxOf(of);
  return y + height / 2;
}

const queuePage = async (more = '', width = 1_440): Promise<Page> => {
  const page = await browser.open(`queues/search-index${more}`, { width });
  await page.getByRole('heading', { name: 'search-index' }).waitFor();
  return page;
};

it('digits have one width below each other, and hyphens of names their own', async () => {
  const page = await browser.open('queues', { width: 1_440 });
  const row = page.getByRole('row', { name: /^search-index/ });
  expect(await styleOf(row.locator('[data-title=Failed]'), 'font-variant-numeric')).toBe('tabular-nums');
  expect(await styleOf(row.getByRole('rowheader'), 'font-variant-numeric')).toBe('normal');
  await page.close();
});

it('a button of a row has its frame where the pointer is', async () => {
  const page = await queuePage('?tab=policy');
  const row = page.getByRole('row', { name: /^leaseMs/ });
  const frame = () => styleOf(row.getByRole('button', { name: 'Change' }), 'border-top-color');
  await page.getByRole('heading', { name: 'search-index' }).hover();
  expect(await frame()).toBe('rgba(0, 0, 0, 0)');
  await row.hover();
  expect(await frame()).not.toBe('rgba(0, 0, 0, 0)');
  await page.close();
});

it('what belongs together is in line', async () => {
  const page = await queuePage();
  const [title, button] = [page.getByRole('heading', { level: 1 }), page.getByRole('button', { name: 'Pause' })];
  expect(Math.abs((await middleOf(title)) - (await middleOf(button)))).toBeLessThan(1.5);
  const icon = page.getByRole('navigation', { name: 'Pages' }).locator('svg').first();
  const theme = page.getByRole('button', { name: /^Theme/ }).locator('svg');
  expect(Math.abs((await boxOf(icon)).x - (await boxOf(theme)).x)).toBeLessThan(1.5);
  const plots = page.locator('figure:has(figcaption) > div');
  const tops = await Promise.all((await plots.all()).map(async (plot) => (await boxOf(plot)).y));
  expect(new Set(tops.map(Math.round)).size).toBe(Math.ceil((tops.length + 1) / 2));
  await page.close();
});

it('what is empty is quieter than the title of its card, and a block is not of the colour of the alarm', async () => {
  const page = await queuePage();
  const card = page.getByRole('region', { name: 'Runs now' });
  await card.getByText('Nothing runs.').waitFor();
  const weight = async (name: string) => Number(await styleOf(card.getByRole('heading', { name }), 'font-weight'));
  expect(await weight('Nothing runs.')).toBeLessThan(await weight('Runs now'));
  const task = await browser.open(`tasks/${failed}`, { width: 1_440 });
  const bar = task.getByRole('figure', { name: /^Timeline/ }).getByTitle(/^attempt 1/);
  const colour = await styleOf(bar, 'background-color');
  expect(colour).not.toBe(await styleOf(task.getByText('no index').first(), 'color'));
  await Promise.all([page.close(), task.close()]);
});

it('on a phone facts stand in two columns', async () => {
  const page = await browser.open(`tasks/${failed}`, { width: 390 });
  const facts = page.getByRole('region', { name: 'About' }).locator('dt');
  await facts.first().waitFor();
  // At once, because the page still grows.
  const [first, second] = await facts.evaluateAll((all) =>
    all.slice(0, 2).map((one) => ({ x: one.getBoundingClientRect().x, y: one.getBoundingClientRect().y })),
  );
  expect([first!.y === second!.y, second!.x > first!.x]).toEqual([true, true]);
  await page.close();
});
