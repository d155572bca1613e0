import type { TaskPage } from '@waybill/client';
import type { Locator, Page, Route } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { sizeOf } from '../support/sizes.js';
import { type DashboardBrowser, inaccessible, picture, startBrowser } from './chromium.js';

let service: RunningService;
let browser: DashboardBrowser;
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const MATCHES = sizeOf(100_000, 20_000);

/** Answers requests for tasks with so many of them, each like the one that there is. Says how many pages after the first it has given. */
async function withMany(page: Page): Promise<() => number> {
  let answered = 0;
  const { items } = await service.waybill.tasks.page({ internal: false });
  await page.route(/\/v1\/tasks\?/, async (route: Route) => {
    const asked = new URL(route.request().url()).searchParams;
    const from = Number(asked.get('cursor') ?? 0);
    const to = Math.min(from + Number(asked.get('limit')), MATCHES);
    if (from > 0) answered++;
    const some = Array.from({ length: to - from }, (_, n) => ({ ...items[0]!, id: idOf(from + n) }));
    const answer: TaskPage = { items: some, nextCursor: to < MATCHES ? String(to) : null };
    await route.fulfill({ json: answer });
  });
  return () => answered;
}

const idOf = (n: number): string => `019a7f3e-6c1b-7d44-9e21-${String(n).padStart(12, '0')}`;

interface Scrolled {
  readonly rows: number;
  readonly mostDrawn: number;
}

/** Scrolls to the end of the page for as long as that loads rows. Says how many there are then, and the most that were in the page at once. */
const scrollToTheEnd = (page: Page): Promise<Scrolled> =>
  page.evaluate<Scrolled>(`(async () => {
    const table = document.querySelector('main table[aria-label=Tasks]');
    const countOf = () => table.ariaRowCount - 1;
    let [mostDrawn, still] = [0, 0];
    for (let rows = countOf(); still < 120 && rows < ${MATCHES}; rows = countOf()) {
      scrollTo(0, document.body.scrollHeight);
      await new Promise(requestAnimationFrame);
      mostDrawn = Math.max(mostDrawn, table.rows.length);
      still = countOf() === rows ? still + 1 : 0;
    }
    scrollTo(0, document.body.scrollHeight);
    return { rows: countOf(), mostDrawn };
  })()`);

it('D-13 a list of 100,000 matches loads as one scrolls, by few requests and with few rows in the page', async () => {
  await service.waybill.queue('many').define();
  await service.waybill.queue('many').enqueue();
  const page = await browser.open('queues/many', { width: 1_440 });
  const answered = await withMany(page);
  await page.goto(page.url().replace('queues/many', 'tasks'));
  await page.getByText('The first 100 tasks').waitFor();
  expect(answered()).toBe(0);
  const { rows, mostDrawn } = await scrollToTheEnd(page);
  expect(rows).toBe(MATCHES);
  expect(mostDrawn).toBeLessThan(200);
  await page
    .getByRole('row')
    .filter({ hasText: idOf(MATCHES - 1).slice(-8) })
    .waitFor();
  expect(answered()).toBe(MATCHES / 500);
  expect(await page.getByRole('row').count()).toBeLessThan(150);
  expect(await inaccessible(page)).toEqual([]);
  await page.close();
  expect(browser.complaints()).toEqual([]);
});

const topOf = async (row: Locator): Promise<number> => (await row.boundingBox())!.y;

it('D-13 a live list moves no row under the pointer, shows in place what changed, and announces what is new', async () => {
  const queue = service.waybill.queue('live');
  await queue.define();
  const ids: string[] = [];
  for (const reference of ['one', 'two', 'three']) ids.push((await queue.enqueue({}, { reference })).id);
  const page = await browser.open('tasks?q=queue:live', { width: 1_440 });
  const row = page.getByRole('row').filter({ hasText: ids[0]!.slice(-8) });
  await row.hover();
  const before = await topOf(row);
  for (let n = 0; n < 12; n++) await queue.enqueue({}, { reference: `new ${n}` });
  await queue.claim({ worker: 'worker-1' });
  const announced = page.getByRole('status').getByRole('button', { name: '12 new' });
  await announced.waitFor();
  await row.getByText('running').waitFor();
  expect(await topOf(row)).toBe(before);
  expect(await page.getByRole('row').count()).toBe(4);
  expect(await row.evaluate((one) => one.matches(':hover'))).toBe(true);
  await picture(page, 'list, 12 new');
  await announced.click();
  await page.getByText('15 tasks').waitFor();
  expect(await page.getByRole('row').count()).toBe(16);
  await page.close();
  expect(browser.complaints()).toEqual([]);
});
