import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, startBrowser } from './chromium.js';
import { makeJob } from './made-job.js';

let service: RunningService;
let browser: DashboardBrowser;
let job: string;
beforeAll(async () => {
  service = await startService();
  job = await makeJob(service.waybill);
  browser = await startBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it('leads from a trigger to the job that it made, to its items, and from an item back to the job', async () => {
  const { items } = await service.waybill.task(job).get();
  const page = await browser.open('triggers', { colorScheme: 'light', width: 1_280 });
  const shown = (id: string) => page.locator('main').getByText(id, { exact: true });
  await page.getByRole('link', { name: job.slice(-8) }).click();
  await shown(job).waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: items[1]!.id.slice(-8) })
    .getByText('running')
    .waitFor();
  await page.getByRole('link', { name: items[1]!.id.slice(-8) }).click();
  await shown(items[1]!.id).waitFor();
  await page.getByRole('link', { name: job.slice(-8) }).click();
  await shown(job).waitFor();
  expect(browser.complaints()).toEqual([]);
  await page.close();
});
