import type { Page } from 'playwright-core';
import { makeConsole } from '../acceptance/s3/console.js';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, inaccessible, picture, startBrowser } from './chromium.js';

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

const namesOf = (count: number): string[] => Array.from({ length: count }, (_, n) => `task ${n}`);

/** A queue with this many failed tasks. */
async function makeFailures(count: number) {
  const queue = await makeConsole(service.waybill);
  await queue.addAll(Object.fromEntries(namesOf(count).map((name) => [name, []])));
  await queue.take();
  for (const name of namesOf(count)) await queue.fail(name);
  return queue;
}

const boxOf = (page: Page, id: string) => page.getByRole('checkbox', { name: `Select task ${id}` });

/** Confirms the command in its dialog, once that has said how many tasks are meant. */
async function confirm(page: Page, command: string, meant: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: command, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(meant).waitFor();
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: command, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('selected tasks', () => {
  it('are retried, and others of the list are not', async () => {
    const queue = await makeFailures(3);
    const page = await browser.open(`tasks?queue=${queue.handle.name}&state=failed`);
    await boxOf(page, queue.idOf('task 0')).check();
    await boxOf(page, queue.idOf('task 2')).check();
    await page.getByText('2 tasks selected.').waitFor();
    await picture(page, 'selected tasks');
    await confirm(page, 'Retry', '2 tasks selected.', 'the disk is empty again');
    await queue.become('pending', 'task 0', 'task 2');
    expect(await queue.states('task 1')).toEqual(['failed']);
    const last = (await queue.task('task 0').history()).at(-1);
    expect(last).toMatchObject({ type: 'TaskRetried', envelope: { reason: 'the disk is empty again' } });
    await page.getByText('The operation retry: succeeded, 2 of 2 tasks.').waitFor();
    await picture(page, 'operation');
    expect(await inaccessible(page)).toEqual([]);
    await page.getByRole('link', { name: 'The operation retry' }).click();
    await page.getByText('succeeded').first().waitFor();
  });

  it('that refuse are counted, with an example', async () => {
    const queue = await makeFailures(1);
    await queue.add('waiting');
    const page = await browser.open(`tasks?queue=${queue.handle.name}`);
    await page.getByRole('checkbox', { name: 'Select all shown tasks' }).check();
    await confirm(page, 'Retry', '2 tasks selected.', 'try');
    await page.getByText('1 task refused: ILLEGAL_TRANSITION').waitFor();
    await picture(page, 'refusals');
    await page
      .getByRole('link', { name: queue.idOf('waiting') })
      .last()
      .click();
    await page.getByRole('heading', { name: queue.idOf('waiting') }).waitFor();
  });

  it('are given a priority by keyboard', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.add('task 0');
    const page = await browser.open(`tasks?queue=${queue.handle.name}`);
    await boxOf(page, queue.idOf('task 0')).press('Space');
    await page.getByRole('button', { name: 'Prioritise' }).press('Enter');
    await page.getByRole('dialog').getByText('1 task selected.').waitFor();
    await page.keyboard.type('7');
    expect(await inaccessible(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('The operation prioritise: succeeded, 1 of 1 task').waitFor();
    expect((await queue.get('task 0')).priority).toBe(7);
  });
});

describe('all tasks that match', () => {
  it('are aborted, also those that are not shown, and no others', async () => {
    const [queue, other] = [await makeFailures(60), await makeFailures(1)];
    const page = await browser.open(`tasks?queue=${queue.handle.name}&state=failed`);
    await page.getByRole('checkbox', { name: 'Select all shown tasks' }).check();
    await page.getByText('50 tasks selected.').waitFor();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByText('also those that are not shown').waitFor();
    await confirm(page, 'Abort', '60 tasks selected.', 'the order was withdrawn');
    await queue.become('aborted', ...namesOf(60));
    expect(await other.states('task 0')).toEqual(['failed']);
  });

  it('are no longer selected in another list', async () => {
    const [queue, other] = [await makeFailures(60), await makeFailures(1)];
    const page = await browser.open(`tasks?queue=${queue.handle.name}`);
    await page.getByRole('checkbox', { name: 'Select all shown tasks' }).check();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByText('also those that are not shown').waitFor();
    await page.getByLabel('queue', { exact: true }).fill(other.handle.name);
    await page.getByRole('button', { name: 'Find' }).click();
    await boxOf(page, other.idOf('task 0')).waitFor();
    await page.getByText('No task is selected.').waitFor();
  });
});
