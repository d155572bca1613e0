import type { Locator, Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, expectAccessible, startBrowser } from './chromium.js';

let service: RunningService;
let browser: DashboardBrowser;
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser(service.url);
  await service.waybill.queue('mail').define({ steps: ['write', 'print'] });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Opens a page and the dialog of one of its commands, also of one in the menu. */
async function asked(route: string, command: string): Promise<{ readonly page: Page; readonly dialog: Locator }> {
  const page = await browser.open(route, { width: 1_440 });
  const button = page.getByRole('button', { name: command, exact: true });
  const more = page.getByRole('button', { name: 'More' });
  await button.or(more).first().waitFor();
  if (!(await button.isVisible())) await more.first().click();
  await button.click();
  return { page, dialog: page.getByRole('dialog') };
}

/** Gives the command of the dialog, whose form for curl and for a program stand beside it. */
async function give(dialog: Locator, command: string, elsewhere: readonly string[]): Promise<void> {
  for (const [at, form] of ['Terminal', 'curl', 'TypeScript'].entries()) {
    await dialog.getByRole('button', { name: form, exact: true }).click();
    await dialog.locator('pre, code').filter({ hasText: elsewhere[at]! }).first().waitFor();
  }
  await dialog.getByRole('button', { name: command, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

const claim = async () => (await service.waybill.queue('mail').claim({ worker: 'worker-1', leaseMs: 3_600_000 }))[0]!;

describe('a command that only a terminal had', () => {
  it('enqueues a task, and leads to it', async () => {
    const { page, dialog } = await asked('queues/mail', 'Enqueue a task');
    await dialog.getByLabel('Payload').fill('{"to":"ann@example.com"}');
    await dialog.getByLabel('Reference').fill('letter-1');
    await dialog.getByText('Task enqueued').waitFor();
    await expectAccessible(page, 'enqueue');
    await give(dialog, 'Enqueue a task', ['waybill enqueue', '/v1/queues/mail/tasks', ".queue('mail').enqueue("]);
    await page.getByRole('heading', { name: 'letter-1' }).waitFor();
    const { items } = await service.waybill.tasks.page({ reference: 'letter-1' });
    expect(await service.waybill.task(items[0]!.id).get()).toMatchObject({ payload: { to: 'ann@example.com' } });
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('is tried while it is typed, so that nothing moves when the field is left', async () => {
    const { page, dialog } = await asked('queues/mail', 'Enqueue a task');
    await dialog.getByText('Task enqueued').waitFor();
    const tried = page.waitForResponse((response) => response.request().method() === 'POST');
    await dialog.getByLabel('Payload').fill('{"to":"bob@example.com"}');
    await tried;
    await dialog.getByText('Task enqueued').waitFor();
    await dialog.getByRole('button', { name: 'Enqueue a task', exact: true }).click({ delay: 100 });
    await dialog.waitFor({ state: 'detached' });
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('changes a trigger from the definition that it has', async () => {
    const trigger = service.waybill.trigger('nightly');
    await trigger.define({ cron: '30 2 * * 1-5', timeZone: 'UTC', task: { queue: 'mail' } });
    const { page, dialog } = await asked('triggers/nightly', 'Change');
    const definition = JSON.parse(await dialog.getByLabel('Definition').inputValue());
    await dialog.getByLabel('Definition').fill(JSON.stringify({ ...definition, cron: '0 4 * * *' }));
    await dialog.getByLabel('Reason, for the history').fill('the archive opens later');
    await give(dialog, 'Change', [
      'waybill trigger define nightly',
      '/v1/triggers/nightly',
      ".trigger('nightly').define(",
    ]);
    expect(await trigger.get()).toMatchObject({ cron: '0 4 * * *', task: { queue: 'mail' } });
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('measures a resource', async () => {
    await service.waybill.resources.define('disk', { unit: '%' });
    const { page, dialog } = await asked('holds', 'Measure');
    await dialog.getByLabel('Value, in %').fill('71.5');
    await give(dialog, 'Measure', [
      'waybill resource measure disk 71.5',
      '/v1/resources/disk/measure',
      ".measure('disk', 71.5)",
    ]);
    await page.getByText('71.5%').waitFor();
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('opens a batch with the tasks that it has', async () => {
    const batch = await service.waybill.createBatch({ name: 'night' });
    await service.waybill.queue('mail').enqueue({}, { batch: batch.id, reference: 'in-batch' });
    await until('the batch to show its task', async () => ((await batch.get()).total === 1 ? true : null));
    const { page, dialog } = await asked(`batches/${batch.id}`, 'Open');
    await dialog.getByText('Batch opened').waitFor();
    await give(dialog, 'Open', [`waybill batch open ${batch.id} 1`, `/v1/batches/${batch.id}/open`, '.open(1)']);
    await until('the batch to run', async () => ((await batch.get()).phase === 'planning' ? null : true));
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('retries a task from a step, and deletes one that runs by force', async () => {
    const { taskId, token } = await claim();
    const error = { class: 'business' as const, message: 'no paper' };
    await service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error } }]);
    const retry = await asked(`tasks/${taskId}`, 'Retry from a step');
    await retry.dialog.getByLabel('Step').selectOption('write');
    await give(retry.dialog, 'Retry from a step', [
      '--step write',
      `/v1/tasks/${taskId}/retry`,
      ".retry({ step: 'write' })",
    ]);
    await retry.page.close();
    const again = await claim();
    const { page, dialog } = await asked(`tasks/${again.taskId}`, 'Delete by force');
    await dialog.getByText('Task deleted').waitFor();
    await give(dialog, 'Delete by force', ['--force', `/v1/tasks/${again.taskId}`, '.delete({ force: true })']);
    expect((await service.waybill.task(again.taskId).history()).at(-1)).toMatchObject({ type: 'TaskDeleted' });
    await page.close();
    browser.complaints();
  });
});
