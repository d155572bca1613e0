import { startWaybill, type EmbeddedWaybill } from '../../src/index.js';
import { type Host, HOSTS } from '../support/mounting-applications.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { type DashboardBrowser, picture, startBrowser } from './chromium.js';

let database: TestDatabase;
let waybill: EmbeddedWaybill;
beforeAll(async () => {
  database = await createTestDatabase();
  waybill = await startWaybill({ databaseUrl: database.url, http: { path: '/ops' } });
});
afterAll(async () => {
  await waybill.stop();
  await database.drop();
});

describe.each(HOSTS)('the dashboard at /ops in %s', (name, start) => {
  let host: Host;
  let browser: DashboardBrowser;
  beforeAll(async () => {
    host = await start(waybill);
    browser = await startBrowser(`${host.url}/ops`);
  });
  afterAll(async () => {
    await browser.close();
    await host.close();
  });

  it('D-22 shows nothing without its login, and acts as the person behind it', async () => {
    const queue = waybill.waybill.queue(`of-${name}`);
    await queue.define();
    const page = await browser.open(`queues/of-${name}`, { width: 1_440 });
    expect(await page.locator('#app').count()).toBe(0);
    browser.complaints();
    await page.context().addCookies([{ name: 'session', value: 'ann', url: host.url }]);
    await page.reload();
    await page.getByRole('button', { name: 'Acting as ann', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect((await queue.get()).pause).toMatchObject({ by: 'ann' });
    await picture(page, `mounted in ${name}`);
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('is told what changed', async () => {
    const page = await browser.open(`queues/of-${name}`, { width: 1_440 });
    await page.context().addCookies([{ name: 'session', value: 'ann', url: host.url }]);
    await page.addInitScript({ content: 'window.setInterval = () => 0;' });
    const opened = page.waitForResponse(/\/ops\/v1\/changes\/stream/);
    await page.reload();
    await opened;
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await waybill.waybill.queue(`of-${name}`).resume();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.close();
    browser.complaints();
  });
});
