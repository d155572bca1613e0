import type { Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, expectAccessible, picture, startBrowser } from './chromium.js';
import { type Story, tellStory } from './story.js';

/** A page, one of its tables, and those of its columns that the log records. */
const TABLES: [route: string, table: string, columns: string[]][] = [
  ['queues', 'Queues', ['State', 'Waiting', 'Running', 'Held', 'Undecided', 'Failed', 'Succeeded']],
  ['', 'Queues', ['State', 'Waiting', 'Running', 'Held', 'Undecided', 'Failed', 'Succeeded']],
  ['tasks', 'Tasks', ['State', 'Queue', 'Error', 'Worker']],
  ['tasks?q=queue:mail state:held,pending', 'Tasks', ['State', 'Queue']],
  ['queues/mail?tab=policy', 'Fields of the policy', ['Value', 'Version', 'By']],
  ['triggers', 'Triggers', ['State', 'When', 'Makes']],
  ['holds', 'Holds', ['Tasks with', 'Why', 'Who']],
  ['activity', 'Activity', ['Who', 'What', 'Of', 'Why']],
];

let service: RunningService;
let browser: DashboardBrowser;
let story: Story;
let moment: string;
/** What each of the pages showed at the moment. */
const then: string[][][] = [];
beforeAll(async () => {
  service = await startService();
  const { waybill } = service;
  story = await tellStory(waybill);
  const nightly = { cron: '30 2 * * 1-5', timeZone: 'Europe/Berlin', task: { queue: 'mail' } };
  await waybill.trigger('nightly-report').define(nightly);
  await waybill.holds.place('maps', { collection: 'maps' }, { reason: 'the rights are being cleared' });
  ({ position: moment } = await waybill.queue('mail').pause({ reason: 'lunch' }));
  browser = await startBrowser(service.url);
  for (const [route, table, columns] of TABLES) then.push(await shown(route, table, columns));
  await changeEverything();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

async function changeEverything(): Promise<void> {
  const { waybill } = service;
  await waybill.queue('thumbnails').resume();
  await waybill.queue('mail').resume({ reason: 'after lunch' });
  const { policyVersion } = await waybill.queue('mail').get();
  await waybill.queue('mail').changePolicy({ leaseMs: 60_000 }, { ifVersion: policyVersion });
  await waybill.queue('afterwards').define();
  await waybill.queue('mail').enqueue({ to: 'bob' }, { reference: 'afterwards' });
  await waybill.task(story.failed).retry({ reason: 'the address is known' });
  await waybill.task(story.running).abort();
  await waybill.trigger('nightly-report').disable();
  for await (const { id } of waybill.tasks.list({ state: 'held' })) await waybill.task(id).release();
  for await (const { id } of waybill.failures.list({ state: 'open' })) await waybill.failures.resolve(id);
  await waybill.holds.lift('maps');
  await waybill.holds.place('scans', { type: 'scan' });
}

/** What a table of a page shows in these columns, after the name of each row. */
async function shown(route: string, table: string, columns: readonly string[]): Promise<string[][]> {
  const page = await browser.open(route, { width: 1_440 });
  const rows = await rowsOf(page, table, columns);
  await page.close();
  return rows;
}

async function rowsOf(page: Page, table: string, columns: readonly string[]): Promise<string[][]> {
  const found = page.getByRole('table', { name: table, exact: true });
  await found.getByRole('row').nth(1).waitFor();
  // Progress is no event, and a time is none of the facts.
  return page.evaluate<string[][]>(`(() => {
    const table = [...document.querySelectorAll('main table')].find((one) => one.ariaLabel === ${JSON.stringify(table)});
    const text = (cell) => cell ? cell.innerText.replace(/ \\d+ %$/, '').trim() : '';
    const cellsOf = (row) => ${JSON.stringify(columns)}.map((title) => text(row.querySelector('[data-title="' + title + '"]')));
    return [...table.querySelectorAll('tbody tr:has(th)')]
      .map((row) => [text(row.querySelector('th')), ...cellsOf(row)].filter((cell) => !cell.endsWith('ago') && cell !== 'now'));
  })()`);
}

const at = (route: string, of = moment): string => `${route}${route.includes('?') ? '&' : '?'}at=${of}`;

/** Buttons of pages that change nothing of the service. */
const HARMLESS = /^(|Search|Show|History|Copy|More|Keep as a view|\d+ new)$/;

describe('a page at a past moment', () => {
  it.each(TABLES.map((of, n) => [of[0], n] as const))(
    'shows what "%s" showed then, and offers no command',
    async (_, n) => {
      const [route, table, columns] = TABLES[n]!;
      const page = await browser.open(at(route), { width: 1_440 });
      expect(await rowsOf(page, table, columns)).toEqual(then[n]);
      const buttons = await page.locator('main').getByRole('button').allInnerTexts();
      expect(buttons.filter((name) => !HARMLESS.test(name.trim()))).toEqual([]);
      expect(await page.getByRole('checkbox').count()).toBe(0);
      await picture(page, `past, ${route.replaceAll(/\W+/g, ' ')}`);
      await page.close();
      expect(await shown(route, table, columns)).not.toEqual(then[n]);
      expect(browser.complaints()).toEqual([]);
    },
  );

  it('shows the groups of failures that were open then', async () => {
    const page = await browser.open(at('failures'), { width: 1_440 });
    const rows = page.getByRole('table', { name: 'Failure groups' }).getByRole('row');
    await rows.nth(1).waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('Nothing fails').waitFor();
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('leads on to what is shown, at the same moment', async () => {
    const page = await browser.open(at('tasks?q=state:failed'), { width: 1_440 });
    await page.getByRole('link', { name: story.failed.slice(-8) }).click();
    await page.getByText('It failed').first().waitFor();
    expect(decodeURIComponent(page.url())).toContain(`at="${moment}"`);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(page.url()).not.toContain('at=');
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it.each(['system', 'operations'])('says that the log does not tell what "%s" shows', async (route) => {
    const page = await browser.open(at(route), { width: 1_440 });
    await page
      .locator('main')
      .getByText(/The log does not know this of the past|only the present/)
      .first()
      .waitFor();
    await page.close();
    browser.complaints();
  });
});

describe('the time bar', () => {
  it('leads from event to event of a task', async () => {
    const events = await service.waybill.task(story.failed).history();
    const failed = events.find(({ type }) => type === 'TaskFailed')!;
    const page = await browser.open(at(`tasks/${story.failed}`, failed.position), { width: 1_440 });
    const state = page.locator('main').getByText('failed', { exact: true }).first();
    await state.waitFor();
    await page.getByRole('button', { name: 'Event before' }).click();
    await page.locator('main').getByText('running', { exact: true }).first().waitFor();
    await expectAccessible(page, 'time bar');
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.getByRole('button', { name: 'Event after' }).click();
    await state.waitFor();
    expect(decodeURIComponent(page.url())).toContain(`at="${failed.position}"`);
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('plays a task from its first event up to now', async () => {
    const [first] = await service.waybill.task(story.failed).history();
    const page = await browser.open(at(`tasks/${story.failed}`, first!.position));
    await page.getByRole('button', { name: 'Event before' }).and(page.locator(':disabled')).waitFor();
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Live' }).waitFor();
    expect(page.url()).not.toContain('at=');
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('goes anywhere within its range by the keyboard', async () => {
    const page = await browser.open(at('queues', new Date(Date.now() - 1_000).toISOString()));
    await page.getByLabel('Range').selectOption('1h');
    const before = page.url();
    await page.getByLabel('Moment', { exact: true }).press('ArrowLeft');
    await page.waitForURL((url) => url.href !== before && url.href.includes('at='));
    expect(page.url()).toContain('span=1h');
    await page.close();
    browser.complaints();
  });
});
