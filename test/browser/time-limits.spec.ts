import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { sizeOf } from '../support/sizes.js';
import { type DashboardBrowser, expectAccessible, startBrowser } from './chromium.js';

const HOUR_MS = 3_600_000;
const QUEUE = 'renders';

/** Tasks of a queue that limits runs: one that runs, one that is late, one that is due much later, one that expired. */
interface Limited {
  readonly running: string;
  readonly late: string;
  readonly later: string;
  readonly free: string;
  readonly expired: string;
}

let service: RunningService;
let browser: DashboardBrowser;
let tasks: Limited;
beforeAll(async () => {
  service = await startService();
  tasks = await limitedTasks();
  browser = await startBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

async function limitedTasks(): Promise<Limited> {
  const queue = service.waybill.queue(QUEUE);
  await queue.define({ maxRunMs: 4 * HOUR_MS });
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
  const { id: running } = await queue.enqueue({ scene: 1 }, { deadlineAt: inHours(2) });
  await queue.claim({ worker: 'w1', leaseMs: HOUR_MS });
  const { id: later } = await queue.enqueue(
    { scene: 2 },
    { deadlineAt: inHours(99), expiresAt: inHours(999), hold: {} },
  );
  const { id: free } = await queue.enqueue({ scene: 3 }, { hold: {} });
  const { id: late } = await queue.enqueue({ scene: 4 }, { deadlineAt: inHours(-1), hold: {} });
  await service.eventAfter('0', { queue: QUEUE, type: 'TaskDeadlineMissed' });
  const { id: expired } = await queue.enqueue({ scene: 5 }, { ttlMs: 1, hold: {} });
  const { position } = await service.eventAfter('0', { queue: QUEUE, type: 'TaskFailed' });
  for (const { name } of await service.waybill.projections()) await service.caughtUp(name, position);
  return { running, late, later, free, expired };
}

/** The ends of the ids of the tasks on the page, in their order. */
const idsOn = async (page: Page): Promise<string[]> =>
  (await page.locator('tbody th a').allInnerTexts()).map((text) => text.trim().slice(-8));

const ends = (...ids: readonly string[]): string[] => ids.map((id) => id.slice(-8));

const row = (page: Page, id: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: id.slice(-8) }) });

describe('the dashboard', () => {
  it('leads from a queue to its tasks past their deadlines, and tells them from the others', async () => {
    const page = await browser.open(`queues/${QUEUE}`);
    await page.getByText('Longest run').waitFor();
    await page.getByRole('link', { name: '1 task past its deadline' }).click();
    await row(page, tasks.late).getByText('missed').waitFor();
    expect(await idsOn(page)).toEqual(ends(tasks.late));
    expect(await page.getByRole('link', { name: 'past their deadlines' }).getAttribute('aria-current')).toBe('true');
    await page.close();
  });

  it('sorts tasks by their deadlines, and shows all of them again', async () => {
    const page = await browser.open(`tasks?q=queue:${QUEUE}`);
    await row(page, tasks.free).waitFor();
    expect(await idsOn(page)).toHaveLength(5);
    await page.getByRole('link', { name: 'by deadline' }).click();
    await row(page, tasks.free).waitFor({ state: 'detached' });
    await row(page, tasks.later).waitFor();
    expect(await idsOn(page)).toEqual(ends(tasks.late, tasks.running, tasks.later));
    await page.getByRole('link', { name: 'by deadline' }).click();
    await row(page, tasks.free).waitFor();
    expect(await idsOn(page)).toHaveLength(5);
    await page.close();
  });

  it('says until when a task may run and by when it should be done', async () => {
    const page = await browser.open(`tasks/${tasks.running}`);
    for (const fact of ['Runs until', 'Deadline'])
      await page.getByRole('term').getByText(fact, { exact: true }).waitFor();
    await page.close();
  });

  it('says of a task that nobody has claimed in time that it expired', async () => {
    const list = await browser.open(`tasks?q=queue:${QUEUE} state:failed`);
    await row(list, tasks.expired).getByText('expired: ').waitFor();
    await list.close();
    const page = await browser.open(`tasks/${tasks.expired}`);
    await page.getByText('Expected a worker to claim the task before').first().waitFor();
    await page.close();
  });
});

/** A page, and what must be there before it is looked at. The first two show a deadline in a list, and a failure by one on a page. */
const PAGES: [string, () => string, (page: Page) => Promise<void>][] = [
  ['late tasks', () => `tasks?q=queue:${QUEUE}&overdue=true`, (page) => row(page, tasks.late).waitFor()],
  ['expired task', () => `tasks/${tasks.expired}`, (page) => page.getByText('Expected a worker').first().waitFor()],
  ['queue with late tasks', () => `queues/${QUEUE}`, (page) => page.getByText('Longest run').waitFor()],
  ['tasks by deadline', () => `tasks?q=queue:${QUEUE}&sort=deadline`, (page) => row(page, tasks.later).waitFor()],
  ['limited run', () => `tasks/${tasks.running}`, (page) => page.getByText('Runs until', { exact: true }).waitFor()],
  ['late task', () => `tasks/${tasks.late}`, (page) => page.getByText('Task deadline missed').first().waitFor()],
];

it.each(PAGES.slice(0, sizeOf(PAGES.length, 2)))(
  'the page "%s" is accessible and fits into its window',
  async (name, route, whenSeen) => {
    const page = await browser.open(route());
    await whenSeen(page);
    await expectAccessible(page, name);
    await page.close();
  },
);

it('no page reports an error', () => {
  expect(browser.complaints()).toEqual([]);
});
