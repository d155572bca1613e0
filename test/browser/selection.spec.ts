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
  await queue.failAll(namesOf(count));
  return queue;
}

const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id.slice(-8) });

const boxOf = (page: Page, id: string) => rowOf(page, id).getByRole('checkbox');

/** Confirms the command in its dialog, once that has said what would become of the tasks. */
async function confirm(page: Page, command: string, foreseen: RegExp, reason: string): Promise<void> {
  await page.getByRole('group', { name: 'Selected tasks' }).getByRole('button', { name: command, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(foreseen).first().waitFor();
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: command, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('selected tasks', () => {
  it('are retried, and others of the list are not; the page of the operation says what it did, and takes it back', async () => {
    const queue = await makeFailures(3);
    const page = await browser.open(`tasks?q=queue:${queue.handle.name} state:failed`);
    await boxOf(page, queue.idOf('task 0')).check();
    await boxOf(page, queue.idOf('task 2')).check();
    await page.getByRole('status').getByText('2 tasks').waitFor();
    await picture(page, 'selected tasks');
    await confirm(page, 'Retry', /2 tasks/, 'the disk is empty again');
    await queue.become('pending', 'task 0', 'task 2');
    expect(await queue.states('task 1')).toEqual(['failed']);
    const last = (await queue.task('task 0').history()).at(-1);
    expect(last).toMatchObject({ type: 'TaskRetried', envelope: { reason: 'the disk is empty again' } });
    await page.getByText('All 2 tasks took the command.').waitFor();
    await picture(page, 'operation');
    expect(await inaccessible(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog').getByText('2 tasks would change').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await queue.become('failed', 'task 0', 'task 2');
    await page.getByRole('heading', { name: 'undo 2 tasks' }).waitFor();
  });

  it('that refuse are counted before and after, with an example', async () => {
    const queue = await makeFailures(1);
    await queue.add('waiting');
    const page = await browser.open(`tasks?q=queue:${queue.handle.name}`);
    await page.getByRole('checkbox', { name: 'Select all shown rows' }).check();
    await confirm(page, 'Retry', /1 task would refuse it: ILLEGAL_TRANSITION/, 'try');
    await page.getByText('1 task refused: ILLEGAL_TRANSITION').waitFor();
    await picture(page, 'refusals');
    await page.getByRole('link', { name: queue.idOf('waiting').slice(-8) }).click();
    await page.locator('main').getByText(queue.idOf('waiting'), { exact: true }).waitFor();
  });

  it('are given a priority by keyboard', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.add('task 0');
    const page = await browser.open(`tasks?q=queue:${queue.handle.name}`);
    await boxOf(page, queue.idOf('task 0')).press('Space');
    await page.getByRole('button', { name: 'Prioritise' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Prioritise 1 task' }).waitFor();
    await dialog.getByLabel('Priority').fill('7');
    expect(await inaccessible(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 task took the command.').waitFor();
    expect((await queue.get('task 0')).priority).toBe(7);
  });
});

describe('all tasks that match', () => {
  it('are aborted, also those that are not shown, and no others', async () => {
    const [queue, other] = [await makeFailures(110), await makeFailures(1)];
    const page = await browser.open(`tasks?q=queue:${queue.handle.name} state:failed`);
    await page.getByRole('checkbox', { name: 'Select all shown rows' }).check();
    await page.getByRole('button', { name: 'All that match' }).click();
    await page.getByText('also those that are not shown').waitFor();
    await confirm(page, 'Abort', /110 tasks/, 'the order was withdrawn');
    await queue.become('aborted', ...namesOf(110));
    expect(await other.states('task 0')).toEqual(['failed']);
  });

  it('are no longer selected in another list', async () => {
    const [queue, other] = [await makeFailures(2), await makeFailures(1)];
    const page = await browser.open(`tasks?q=queue:${queue.handle.name}`);
    await page.getByRole('checkbox', { name: 'Select all shown rows' }).check();
    await page.getByRole('group', { name: 'Selected tasks' }).waitFor();
    await page.getByLabel('Search tasks').fill(`queue:${other.handle.name}`);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await boxOf(page, other.idOf('task 0')).waitFor();
    expect(await page.getByRole('group', { name: 'Selected tasks' }).count()).toBe(0);
  });
});
