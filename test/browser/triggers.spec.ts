import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, expectAccessible, startBrowser } from './chromium.js';
import { SECRETS, signed } from '../support/signed-delivery.js';
import { makeJob } from './made-job.js';

let service: RunningService;
let browser: DashboardBrowser;
let job: string;
beforeAll(async () => {
  service = await startService({ inboundSecrets: SECRETS });
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

it('says where a trigger of deliveries is called, how its sender signs, and what came last', async () => {
  await service.waybill.queue('builds').define();
  const delivery = { scheme: 'github', secret: 'github', headers: ['x-github-event'] } as const;
  await service.waybill
    .trigger('pushes')
    .define({ delivery: { ...delivery, headers: [...delivery.headers] }, task: { queue: 'builds' } });
  const { body, headers } = signed({ scheme: 'github', id: 'd-1' });
  const address = `${service.url}/v1/triggers/pushes/deliveries`;
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  const { task } = (await (await fetch(address, sent)).json()) as { task: string };
  const page = await browser.open('triggers/pushes', { colorScheme: 'light', width: 1_280 });
  await page.getByText(address).waitFor();
  await page.getByText("For every delivery, signed as GitHub signs, with the secret 'github'").first().waitFor();
  await page.getByText('x-github-event').waitFor();
  await page.getByRole('link', { name: task.slice(-8) }).waitFor();
  expect(await page.getByText('Next times').count()).toBe(0);
  await expectAccessible(page, 'trigger of deliveries');
  expect(browser.complaints()).toEqual([]);
  await page.close();
});
