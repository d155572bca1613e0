import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, expectAccessible, startBrowser } from './chromium.js';

let service: RunningService;
let browser: DashboardBrowser;
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser(service.url);
  await service.waybill.queue('mail').define();
  for (const reference of ['letter-1', 'reminder-1']) await service.waybill.queue('mail').enqueue({}, { reference });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it('keeps a search under a name, which its address has, and forgets it', async () => {
  const page = await browser.open('tasks?q=reference:letter*', { width: 1_440 });
  await page.getByRole('button', { name: 'Keep as a view' }).click();
  await page.getByLabel('Name').fill('Letters of today');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.getByRole('heading', { name: 'Letters of today' }).waitFor();
  await expectAccessible(page, 'saved view');
  const address = page.url();
  await page.goto(`${service.url}/dashboard/#/tasks`);
  await page.getByRole('link', { name: /reminder-1/ }).waitFor();
  await page.getByRole('link', { name: 'Letters of today' }).click();
  await page.getByRole('link', { name: /reminder-1/ }).waitFor({ state: 'detached' });
  expect(page.url()).toBe(address);
  await page.getByRole('button', { name: 'Forget this view' }).click();
  await page.getByRole('link', { name: 'Letters of today' }).waitFor({ state: 'detached' });
  await page.close();
  expect(browser.complaints()).toEqual([]);
});

it('saves a view for everybody, who see who saved it, and deletes it', async () => {
  const page = await browser.open('tasks?q=reference:letter*', { width: 1_440 });
  await page.getByRole('button', { name: 'Save for everybody' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('letters');
  await page.getByRole('dialog').getByText('waybill view save letters').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Save for everybody' }).click();
  await page.getByText(/^saved by /).waitFor();
  await expectAccessible(page, 'view for everybody');
  const [view] = await service.waybill.views.list();
  expect(view).toMatchObject({ name: 'letters', q: 'reference:letter*', overdue: false, sort: null });
  const other = await browser.open('tasks', { width: 390 });
  await other.getByRole('link', { name: /reminder-1/ }).waitFor();
  await other.getByRole('link', { name: 'letters' }).click();
  await other.getByRole('link', { name: /reminder-1/ }).waitFor({ state: 'detached' });
  await other.getByRole('heading', { name: 'letters' }).waitFor();
  await other.getByRole('button', { name: 'Delete for everybody' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await other.getByRole('link', { name: 'letters' }).waitFor({ state: 'detached' });
  expect(await service.waybill.views.list()).toEqual([]);
  await other.close();
  await page.close();
  expect(browser.complaints()).toEqual([]);
});

it('shows a view whose address somebody sent, and can keep it', async () => {
  const page = await browser.open('tasks?q=reference:letter*&view=Ours', { width: 390 });
  await page.getByRole('heading', { name: 'Ours' }).waitFor();
  expect(await page.getByRole('link', { name: 'Ours' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Keep as a view' }).click();
  expect(await page.getByLabel('Name').inputValue()).toBe('Ours');
  await page.close();
  expect(browser.complaints()).toEqual([]);
});
