import type { Locator, Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, expectAccessible, inaccessible, picture, startBrowser } from './chromium.js';

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

/** Gives the command of an open dialog with a reason, once the service has said what it would do. */
async function give(dialog: Locator, name: string, reason: string): Promise<void> {
  await dialog.getByLabel('Reason, for the history').fill(reason);
  await dialog.getByText('Queue policy changed').waitFor();
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('the limits of values', () => {
  it('limits a value, shows what runs of each and when the next may start, and takes the limits away', async () => {
    const queue = service.waybill.queue('rendering');
    await queue.define({ perLabel: { label: 'customer', maxRunning: 2 } });
    const of = (customer: string) => ({ labels: { customer } });
    await queue.enqueueMany([of('acme'), of('acme'), of('acme'), of('globex')]);
    await queue.claim({ worker: 'w1', max: 3, leaseMs: 3_600_000 });
    const page = await browser.open('queues/rendering', { width: 1_440 });
    const limits = page.getByRole('region', { name: 'Limits of values' });
    await limits.getByRole('row', { name: /^each other value 2/ }).waitFor();
    await limits.getByRole('row', { name: 'acme 2 2 when one ends', exact: true }).waitFor();
    await limits.getByRole('row', { name: 'globex 1 2 now', exact: true }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Limit a value' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Label', { exact: true }).inputValue()).toBe('customer');
    await dialog.getByLabel(/^Value;/).fill('acme');
    await dialog.getByLabel('Most that run at once').fill('10');
    await dialog.getByLabel('Starts in a time').fill('1/h');
    await dialog.getByText('waybill limit set rendering customer=acme 1/h --max-running 10').waitFor();
    await expectAccessible(page, 'limit a value');
    await page.setViewportSize({ width: 1_440, height: 800 });
    await give(dialog, 'Limit a value', 'acme pays for ten');
    await limits.getByRole('row', { name: 'acme 2 10 1/h, 1 at once now Take away', exact: true }).waitFor();
    await queue.claim({ worker: 'w1', leaseMs: 3_600_000 });
    await limits.getByRole('row', { name: /^acme 3 10 1\/h, 1 at once \S+ \d+, \d\d:\d\d:\d\d Take away$/ }).waitFor();
    await expectAccessible(page, 'limits of values');
    await page.setViewportSize({ width: 1_440, height: 800 });
    await limits.getByRole('row', { name: /^acme/ }).getByRole('button', { name: 'Take away' }).click();
    await give(dialog, 'Take away', 'acme pays no more');
    await limits.getByRole('row', { name: 'acme 3 2 when one ends', exact: true }).waitFor();
    expect((await queue.get()).policy.perLabel).toEqual({ label: 'customer', maxRunning: 2 });
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });
});

/** Opens the dialog of a field of the policy. */
async function change(page: Page, field: string): Promise<Locator> {
  await page
    .getByRole('row', { name: new RegExp(`^${field} `) })
    .getByRole('button', { name: 'Change' })
    .click();
  return page.getByRole('dialog');
}

describe('the policy of a queue', () => {
  it('shows and changes whose turn it is', async () => {
    const queue = service.waybill.queue('sharing');
    await queue.define();
    const page = await browser.open('queues/sharing?tab=policy', { width: 1_440 });
    await page.getByText(/^\d+ fields as by default$/).click();
    const dialog = await change(page, 'fair');
    const value = dialog.getByLabel('fair, as JSON');
    expect([await value.inputValue(), JSON.parse((await value.getAttribute('placeholder'))!)]).toEqual([
      '',
      { label: 'tenant', weights: { acme: 3 } },
    ]);
    await value.fill('{"label":"tenant","weights":{"acme":5}}');
    await give(dialog, 'Change', 'acme pays for five');
    await page.getByRole('row', { name: /^fair the values of tenant in turn; acme has 5 turns 2 dashboard/ }).waitFor();
    expect((await queue.get()).policy.fair).toEqual({ label: 'tenant', weights: { acme: 5 } });
    await picture(page, 'policy, fair');
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('shows and changes what is gathered and needed, which the dialog of a new task asks for then', async () => {
    const queue = service.waybill.queue('gathering');
    await queue.define({ duplicatePending: 'gather', gather: { quietMs: 7_000, maxMs: 60_000, payloads: 'all' } });
    const newest = async () => {
      const { items } = await service.waybill.tasks.page({ q: 'queue:gathering', sort: 'newest' });
      return service.waybill.task(items[0]!.id).get();
    };
    const page = await browser.open('queues/gathering?tab=policy', { width: 1_440 });
    const gather = await change(page, 'gather');
    await gather.getByLabel('gather, as JSON').fill('{"quietMs":600000}');
    await give(gather, 'Change', 'more come late');
    const gathers = 'until none has come for 10 min, 1 min at most; the task has a list of all payloads';
    await page.getByRole('row', { name: new RegExp(`^gather ${gathers} 2 dashboard`) }).waitFor();
    await page.getByText(/^\d+ fields as by default$/).click();
    const needs = await change(page, 'needs');
    await needs.getByLabel('needs, as JSON').fill('{"gpu":true}');
    await give(needs, 'Change', 'only some have a card');
    await page.getByRole('row', { name: /^needs gpu = true 3 dashboard/ }).waitFor();
    await page.getByRole('button', { name: 'Enqueue a task' }).click();
    const dialog = page.getByRole('dialog');
    const last = dialog.getByLabel('Gathers others of its key until none has come for so many seconds');
    const most = dialog.getByLabel('Gathers them for so many seconds at most');
    const needed = dialog.getByLabel('What its worker must offer');
    const said = await Promise.all([last, most, needed].map((field) => field.getAttribute('placeholder')));
    expect(said).toEqual(['600', '60', 'gpu=true']);
    await dialog.getByLabel('Key: of one key').fill('customer-7');
    await last.fill('7200');
    await most.fill('7200');
    await dialog.getByText('--key customer-7 --gather-quiet 7200 --gather-max 7200').waitFor();
    await dialog.getByText('Task enqueued').waitFor();
    expect(await inaccessible(page)).toEqual([]);
    await picture(page, 'enqueue into a queue that gathers');
    await dialog.getByRole('button', { name: 'Enqueue a task', exact: true }).click();
    await page.waitForURL(/tasks\//);
    const gathering = await newest();
    expect([gathering.key, gathering.needs]).toEqual(['customer-7', null]);
    expect(Date.parse(gathering.dueAt!) - Date.parse(gathering.enqueuedAt!)).toBeGreaterThan(7_100_000);
    await page.goBack();
    await page.getByRole('button', { name: 'Enqueue a task' }).click();
    await needed.fill('gpu=true, site=paris');
    await dialog.getByText('--need gpu=true --need site=paris').waitFor();
    await dialog.getByText('Task enqueued').waitFor();
    await dialog.getByRole('button', { name: 'Enqueue a task', exact: true }).click();
    await page.waitForURL(/tasks\//);
    expect((await newest()).needs).toEqual({ gpu: true, site: 'paris' });
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });
});
