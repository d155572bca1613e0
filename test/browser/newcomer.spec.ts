import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, expectAccessible, startBrowser } from './chromium.js';

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

it('D-23 a newcomer with an empty system finds a worker to copy, sends a test task, and sees it run, from Home', async () => {
  const page = await browser.open('');
  const code = page.getByLabel('A worker of the queue hello', { exact: true });
  await code.waitFor();
  expect(await code.innerText()).toContain(`createWaybill({ url: '${service.url}' })`);
  await expectAccessible(page, 'newcomer');
  await page.getByRole('button', { name: 'Send a test task' }).click();
  const followed = page.getByRole('status').filter({ hasText: 'See it run' });
  await followed.getByText('pending').waitFor();
  const worker = service.waybill
    .worker()
    .handle('hello', (task) => Promise.resolve(`hello ${(task.payload as { name: string }).name}`));
  await worker.start();
  await followed.getByText('succeeded').waitFor();
  await worker.stop();
  await followed.getByRole('link', { name: 'my first task' }).click();
  await page.getByText('hello world').first().waitFor();
  await page.close();
  expect(browser.complaints()).toEqual([]);
});
