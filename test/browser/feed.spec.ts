import type { Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, startBrowser } from './chromium.js';

let service: RunningService;
let browser: DashboardBrowser;
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser(service.url);
  await service.waybill.queue('first').define();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const FEED = /\/v1\/changes\/stream/;

/** A page that never asks by itself. */
const NO_INTERVALS = 'window.setInterval = () => 0;';

/** Whether somebody looks at the page is what a test says. */
const SEEN_AS = `let seen = 'visible'; Object.defineProperty(document, 'visibilityState', { get: () => seen });
  addEventListener('looked', ({ detail }) => { seen = detail; document.dispatchEvent(new Event('visibilitychange')); });`;

const look = (page: Page, as: 'visible' | 'hidden'): Promise<unknown> =>
  page.evaluate(`dispatchEvent(new CustomEvent('looked', { detail: '${as}' }))`);

it('shows what changed because it is told', async () => {
  const page = await browser.open('queues');
  await page.addInitScript({ content: NO_INTERVALS });
  const opened = page.waitForResponse(FEED);
  await page.reload();
  await opened;
  await page.getByText('first', { exact: true }).first().waitFor();
  await service.waybill.queue('told').define();
  await page.getByText('told', { exact: true }).first().waitFor();
  await page.close();
  expect(browser.complaints()).toEqual([]);
});

it('asks by itself while it is not told', async () => {
  const page = await browser.open('queues');
  await page.route(FEED, (route) => route.abort());
  await page.reload();
  await page.getByText('first', { exact: true }).first().waitFor();
  await service.waybill.queue('found').define();
  await page.getByText('found', { exact: true }).first().waitFor();
  await page.close();
});

describe('pages of one browser, none of which asks by itself', () => {
  /** The ones that opened the feed, the latest last. */
  let opened: Page[];
  beforeEach(() => {
    opened = [];
    browser.complaints();
  });

  async function listening(): Promise<Page> {
    const page = await browser.open('queues');
    const url = page.url();
    // What the page has asked for until now is not counted.
    await page.goto('about:blank');
    await page.addInitScript({ content: NO_INTERVALS + SEEN_AS });
    page.on('request', (request) => void (FEED.test(request.url()) && opened.push(page)));
    await page.goto(url);
    await page.getByText('first', { exact: true }).first().waitFor();
    return page;
  }

  async function expectAllToHear(pages: readonly Page[], queue: string): Promise<void> {
    await service.waybill.queue(queue).define();
    await Promise.all(pages.map((page) => page.getByText(queue, { exact: true }).first().waitFor()));
  }

  const holder = (number: number): Promise<Page> => until(`holder ${number}`, async () => opened[number - 1] ?? null);

  it('share one feed, and another one goes on with it when its page is closed', async () => {
    const pages: Page[] = [];
    for (let n = 0; n < 8; n++) pages.push(await listening());
    await expectAllToHear(pages, 'heard-by-eight');
    const first = await holder(1);
    await first.close();
    await holder(2);
    const others = pages.filter((page) => page !== first);
    await expectAllToHear(others, 'heard-by-seven');
    expect(opened.map((page) => pages.indexOf(page))).toEqual([0, expect.any(Number)]);
    await Promise.all(others.map((page) => page.close()));
    expect(browser.complaints()).toEqual([]);
  });

  it('leave the feed to another one while nobody looks at them, and hear of what they missed', async () => {
    const [one, other] = [await listening(), await listening()];
    await look(one, 'hidden');
    expect(await holder(2)).toBe(other);
    await expectAllToHear([other], 'missed');
    expect(await one.getByText('missed', { exact: true }).count()).toBe(0);
    await look(one, 'visible');
    await expectAllToHear([one, other], 'heard-by-both');
    expect(await one.getByText('missed', { exact: true }).count()).toBe(1);
    expect(opened).toHaveLength(2);
    await Promise.all([one.close(), other.close()]);
  });
});
