import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, inaccessible, startBrowser } from './chromium.js';

let service: RunningService;
let browser: DashboardBrowser;
beforeAll(async () => {
  service = await startService({ traceUrl: 'https://traces.example/trace/{traceId}' });
  browser = await startBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it('offers a task that waits for a signal this signal first, with data and a reason, and shows that it went on', async () => {
  const queue = service.waybill.queue('orders');
  await queue.define();
  const { id } = await queue.enqueue({ amount: 50_000 });
  const worker = service.waybill.worker().handle('orders', (_, run) => run.waitFor('approved', { timeout: '1h' }));
  await worker.start();
  const task = service.waybill.task(id);
  await until('the task to wait', async () =>
    (await task.why()).reasons.some(({ because }) => because === 'signal') ? true : null,
  );
  const page = await browser.open(`tasks/${id}`, { width: 1_440 });
  await page.getByText("Its handler waits for the signal 'approved'").waitFor();
  expect((await page.getByRole('main').getByRole('button').allInnerTexts())[0]).toBe('Signal');
  await page.getByRole('button', { name: 'Signal', exact: true }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Signal', { exact: true }).inputValue()).toBe('approved');
  await dialog.getByLabel('Data').fill('{ "by": "cleo" }');
  await dialog.getByLabel('Reason').fill('she has read the order');
  await dialog.getByText(`npx waybill task signal approved --data '{ "by": "cleo" }' ${id}`).waitFor();
  expect(await inaccessible(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Signal', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Result' }).getByText('cleo').waitFor();
  await worker.stop();
  const given = (await task.history()).find(({ type }) => type === 'TaskSignalled')!;
  expect(given).toMatchObject({
    data: { signal: 'approved', data: { by: 'cleo' } },
    envelope: { reason: 'she has read the order' },
  });
  await page.close();
  expect(browser.complaints()).toEqual([]);
});

it('names the batch of a task, and leads from its error to all that failed like this', async () => {
  await service.waybill.queue('books').define({ onFailure: 'fail' });
  const plan = service.waybill.planBatch({ name: 'digitisation 12' });
  plan.add('books', {}, { reference: 'volume-1' });
  const batch = await plan.submit();
  const [task] = await service.waybill.queue('books').claim({ worker: 'w', waitMs: 30_000 });
  const error = { class: 'bug' as const, message: 'no page 12' };
  await service.waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict: { type: 'fail', error } }]);
  const page = await browser.open(`tasks/${task!.taskId}`, { width: 1_440 });
  const about = page.getByRole('region', { name: 'About' });
  expect(await about.getByRole('link', { name: 'digitisation 12' }).getAttribute('href')).toContain(batch.id);
  await page.getByRole('region', { name: 'Error' }).getByRole('link', { name: 'What failed like this' }).click();
  await page.getByRole('heading', { name: 'no page 12' }).waitFor();
  await page.getByRole('heading', { name: 'Failures by minute' }).waitFor();
  await page.close();
  expect(browser.complaints()).toEqual([]);
});

it('links to the traces of the submission and of the attempts', async () => {
  const [submission, attempt] = ['4bf92f3577b34da6a3ce929d0e0e4736', '7bf92f3577b34da6a3ce929d0e0e4736'];
  const within = (traceId: string) => ({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await service.waybill.queue('parcels').define();
  const { id } = await service.waybill.queue('parcels').enqueue({}, within(submission!));
  const [claimed] = await service.waybill.queue('parcels').claim({ worker: 'w' });
  await service.waybill.settle([
    { taskId: id, token: claimed!.token, verdict: { type: 'succeed' }, ...within(attempt!) },
  ]);
  const page = await browser.open(`tasks/${id}`, { width: 1_440 });
  const links = page.getByRole('region', { name: 'About' }).getByRole('link', { name: /trace of/i });
  await links.first().waitFor();
  expect(await links.evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]))).toEqual([
    ['Trace of the submission', `https://traces.example/trace/${submission}`],
    ['Trace of attempt 1', `https://traces.example/trace/${attempt}`],
  ]);
  expect(await inaccessible(page)).toEqual([]);
  await page.close();
  expect(browser.complaints()).toEqual([]);
});
