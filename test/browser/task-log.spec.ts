import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, startBrowser } from './chromium.js';

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

it('shows what a handler says while the page is open, to its end, and only of now', async () => {
  const queue = service.waybill.queue('charges');
  await queue.define();
  const { id, position } = await queue.enqueue();
  const [claimed] = await queue.claim({ worker: 'w1' });
  const { taskId, token } = claimed!;
  const say = (number: number, level: 'info' | 'error', text: string) =>
    service.waybill.extend([
      { taskId, token, log: [{ number, at: new Date().toISOString(), level, text, fields: { order: number } }] },
    ]);
  const page = await browser.open(`tasks/${id}`, { width: 390 });
  await page.getByRole('heading', { name: 'History' }).waitFor();
  const log = page.getByRole('region', { name: 'Log' });
  expect(await log.count()).toBe(0);
  await say(1, 'info', 'asks <b>the bank</b>');
  await log.getByText('asks <b>the bank</b> {"order":1}').waitFor();
  await say(2, 'error', 'the bank refuses');
  await service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);
  await log.getByText('2 lines').waitFor();
  const lines = await log.getByRole('listitem').allTextContents();
  expect(lines.map((line) => line.replace(/^.*?(info|error)/, '$1'))).toEqual([
    'infoasks <b>the bank</b> {"order":1}',
    'errorthe bank refuses {"order":2}',
  ]);
  await page.close();
  const past = await browser.open(`tasks/${id}?at=${position}`, { width: 1_440 });
  await past.getByRole('heading', { name: 'History' }).waitFor();
  expect(await past.getByRole('region', { name: 'Log' }).count()).toBe(0);
  await past.close();
});
