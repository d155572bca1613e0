import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, inaccessible, overhang, picture, startBrowser } from './chromium.js';

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

const COLLECTION = { collection: 'maps' };

describe('the page of holds', () => {
  it('say how many tasks they hold, lead to these, and are lifted', async () => {
    const queue = service.waybill.queue('jobs');
    await queue.define();
    const { id } = await queue.enqueue({}, { labels: COLLECTION });
    await service.as('ann').holds.place('maps', COLLECTION, { reason: 'the rights are being cleared' });
    expect(await queue.claim({ worker: 'w1' })).toEqual([]);
    const page = await browser.open('holds');
    const row = page.getByRole('row', { name: 'maps' });
    for (const text of ['collection=maps', 'ann', 'the rights are being cleared'])
      await row.getByText(text, { exact: true }).waitFor();
    await picture(page, 'holds');
    expect(await inaccessible(page)).toEqual([]);
    await row.getByRole('link', { name: '1', exact: true }).click();
    await page.getByRole('link', { name: id.slice(-8) }).waitFor();
    await page.goBack();
    await row.getByRole('button', { name: 'Lift' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('they are cleared');
    await page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click();
    await page.getByText('No hold is in force').waitFor();
    expect(await service.waybill.holds.get('maps')).toMatchObject({ state: 'lifted', holds: 1 });
    expect((await service.waybill.task(id).get()).state).toBe('held');
  });

  it('are explained while there are none, also in a narrow window', async () => {
    const page = await browser.open('holds', { width: 320, colorScheme: 'dark' });
    await page.getByText('waybill hold place').waitFor();
    expect(await inaccessible(page)).toEqual([]);
    expect(await overhang(page)).toBe(0);
  });
});
