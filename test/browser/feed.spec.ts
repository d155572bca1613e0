import { type RunningService, startService } from '../support/running-service.js';
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
