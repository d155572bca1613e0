import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, startBrowser } from './chromium.js';
import { quietMorning } from './scenes/quiet-morning.js';
import { atOnce, succeed, work } from './scenes/stage.js';

let service: RunningService;
let browser: DashboardBrowser;
beforeAll(async () => {
  service = await startService();
  await quietMorning(atOnce(service.as));
  browser = await startBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** What is allowed, in bytes, and the time that it speaks of. */
const [FIRST_LOAD, IDLE, BUSY] = [250_000, 5_000, 50_000];
/** As gzip, without fonts, 2 % above what they have. Whoever adds to the first load raises it here, and says why. */
const CODE_OF_FIRST_LOAD = 201_000;
const SPAN_MS = 10_000;
/** A page that has received nothing for so long has all that it shows. */
const QUIET_MS = 4_000;

/** What a page receives from now on, with the heads of answers, as its network counts it. */
async function received(page: Page): Promise<() => number> {
  let bytes = 0;
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  network.on('Network.responseReceived', ({ response }) => void (bytes += response.encodedDataLength));
  network.on('Network.dataReceived', ({ encodedDataLength }) => void (bytes += encodedDataLength));
  return () => bytes;
}

/** Goes on until so much time has passed in the page. */
async function during(page: Page, ms: number, round: () => Promise<unknown>): Promise<void> {
  const now = (): Promise<number> => page.evaluate<number>('performance.now()');
  for (const end = (await now()) + ms; (await now()) < end;) await round();
}

const nothing = (page: Page) => () => page.evaluate('new Promise(requestAnimationFrame)');

/** Opens the page, and counts what it receives from when it has all that it shows. */
async function opened(route: string) {
  const page = await browser.open(route);
  const bytes = await received(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (let before = -1; before !== bytes();) {
    before = bytes();
    await during(page, QUIET_MS, nothing(page));
  }
  const loaded = bytes();
  return { page, bytes: () => bytes() - loaded };
}

it('D-14 the first load of Home is 250 kB at most: pages, scripts and styles as gzip, and its fonts', async () => {
  const page = await browser.open('');
  await page.getByText('All is well.').waitFor();
  await page.evaluate('document.fonts.ready.then(() => null)');
  const shipped = (await page.evaluate<Shipped[]>(SHIPPED)).filter(({ url }) => !url.includes('/v1/'));
  const asGzip = await Promise.all(
    shipped.map(async ({ url }) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length),
  );
  const isFont = shipped.map(({ url }) => url.endsWith('.woff2'));
  expect(shipped.length).toBeGreaterThan(3);
  expect(isFont.filter(Boolean)).toHaveLength(1);
  expect(sum(asGzip)).toBeLessThan(FIRST_LOAD);
  expect(sum(asGzip.filter((_, at) => !isFont[at]))).toBeLessThan(CODE_OF_FIRST_LOAD);
  // What is sent, compressed by the service.
  expect(sum(shipped.map(({ sent }) => sent))).toBeLessThan(FIRST_LOAD);
  await page.close();
});

interface Shipped {
  readonly url: string;
  /** Bytes of the body as it was sent, also if it came from the cache. */
  readonly sent: number;
}

const SHIPPED = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(({ name, encodedBodySize }) => ({ url: name, sent: encodedBodySize }))`;

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

const PAGES = ['', 'queues', 'tasks', 'queues/mail', 'failures', 'activity', 'system'];

it('D-14 while nothing happens, a page receives less than 5 kB in 10 s', async () => {
  const pages = await Promise.all(PAGES.map(opened));
  const before = pages.map(({ bytes }) => bytes());
  await during(pages[0]!.page, SPAN_MS, nothing(pages[0]!.page));
  const idle = pages.map(({ bytes }, at) => bytes() - before[at]!);
  for (const [at, bytes] of idle.entries())
    expect([PAGES[at], bytes < IDLE ? 'little' : bytes]).toEqual([PAGES[at], 'little']);
  await Promise.all(pages.map(({ page }) => page.close()));
});

it('D-14 while nobody orders anything, a look at the activity asks for one line of it', async () => {
  const page = await browser.open('activity');
  await page.getByRole('row').nth(1).waitFor();
  const asked: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/v1/activity')) asked.push(searchParams.get('limit'));
  });
  // Somebody comes back to the window.
  const look = `dispatchEvent(new Event('visibilitychange'))`;
  await until('a look', async () => (await page.evaluate(look), asked.length > 0 ? true : null));
  expect(asked[0]).toBe('1');
  expect(await page.getByRole('row').count()).toBeGreaterThan(1);
  await service.waybill.queue('ordered-meanwhile').define();
  await page.getByRole('link', { name: 'ordered-meanwhile' }).waitFor();
  expect(asked).toContain('100');
  await page.close();
});

/** Loads more until the list has 500 rows. */
const LOAD_500 = `(() => {
  if (document.querySelector('main table').getAttribute('aria-rowcount') === '501') return true;
  [...document.querySelectorAll('main button')].find((button) => button.textContent.trim() === 'More' && !button.disabled)?.click();
  return false;
})()`;

it('D-14 a list of 500 tasks of a busy system receives less than 50 kB in 10 s', async () => {
  const queue = service.waybill.queue('charges');
  await queue.define();
  const add = (count: number) =>
    queue.enqueueMany(Array.from({ length: count }, (_, n) => ({ reference: `charge-${n}`, payload: { order: n } })));
  for (let n = 0; n < 5; n++) await add(100);
  const { page, bytes } = await opened('tasks?q=queue:charges');
  await until('500 rows', async () => ((await page.evaluate<boolean>(LOAD_500)) ? true : null));
  const before = bytes();
  let rounds = 0;
  await during(page, SPAN_MS, async () => {
    rounds++;
    await add(20);
    await work(service.waybill, { queue: 'charges', count: 20, verdict: succeed });
  });
  expect(rounds).toBeGreaterThan(1);
  expect(bytes() - before).toBeGreaterThan(0);
  expect(bytes() - before).toBeLessThan(BUSY);
  await page.close();
});
