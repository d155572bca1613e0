import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, inaccessible, startBrowser } from './chromium.js';

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

it('shows first what needs somebody, on one screen, and the rest in parts with an address each', async () => {
  const page = await browser.open('system', { width: 1_440, height: 900 });
  await page.getByRole('heading', { name: 'Leaders' }).waitFor();
  expect(await page.getByRole('row', { name: /^queue-stats/ }).count()).toBe(0);
  expect(await page.evaluate('document.body.scrollHeight')).toBeLessThanOrEqual(900);
  const parts = page.getByRole('navigation', { name: 'Parts of the system' });
  for (const [name, heading, address] of [
    ['Read models', 'Read models and reactions', 'tab=models'],
    ['Sealed log', 'Sealed log', 'tab=log'],
    ['API keys', 'API keys', 'tab=keys'],
    ['History', 'History', 'tab=history'],
  ] as const) {
    await parts.getByRole('link', { name }).click();
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    expect(page.url()).toContain(address);
    expect(await page.getByRole('heading', { name: 'Leaders' }).count()).toBe(0);
    expect([name, await inaccessible(page)]).toEqual([name, []]);
  }
  await page.close();
  expect(browser.complaints()).toEqual([]);
});

it('names a read model that has stopped among what needs somebody', async () => {
  const page = await browser.open('queues', { width: 1_440 });
  await page.route('**/v1/projections*', async (route) => {
    const response = await route.fetch();
    const { items, ...rest } = (await response.json()) as { items: object[] };
    const [first, ...others] = items;
    const stopped = { ...first, status: 'stopped', error: 'no such column', stoppedAt: new Date().toISOString() };
    await route.fulfill({ response, json: { ...rest, items: [stopped, ...others] } });
  });
  await page.goto(page.url().replace('queues', 'system'));
  const card = page.getByRole('region', { name: '1 read model has stopped' });
  await card.getByText('no such column').waitFor();
  await card.getByRole('button', { name: 'Rebuild' }).waitFor();
  await page.close();
});
