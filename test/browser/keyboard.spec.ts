import type { Page } from 'playwright-core';
import { erased } from '../support/erased.js';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, startBrowser } from './chromium.js';

let service: RunningService;
let browser: DashboardBrowser;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('mail').define();
  browser = await startBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Presses Tab until the element with this text has the focus. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 50; presses++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)).trim() === text) return;
  }
  throw new Error(`Expected Tab to reach '${text}', but it did not in 50 presses`);
}

/** The text of the element with the focus, or its label. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(({ labels, textContent }) => labels?.[0]?.textContent ?? textContent)(
    document.activeElement === document.body ? {} : document.activeElement) ?? ''`);

/**
 * Presses the key as soon as the open dialog is closed: before its `close` event, which the browser fires in a later task. `pressed`
 * resolves after that event.
 */
const pressOnceClosed = (key: string): string => `globalThis.pressed = new Promise((resolve) => {
  const dialog = document.querySelector('dialog[open]');
  const observer = new MutationObserver(() => {
    if (dialog.open && dialog.isConnected) return;
    observer.disconnect();
    dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', code: 'Slash', shiftKey: ${key === '?'} }));
    setTimeout(resolve);
  });
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['open'] });
}); null`;

describe('by keyboard alone', () => {
  it('a person holds a task and gives a reason', async () => {
    const { id } = await service.waybill.queue('mail').enqueue();
    const page = await browser.open(`tasks/${id}`);
    await page.getByRole('button', { name: 'Hold' }).waitFor();
    await tabTo(page, 'Hold');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await focused(page)).toContain('Reason');
    await page.keyboard.type('the printer is empty');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('held', { exact: true }).first().waitFor();
    expect((await service.waybill.task(id).history()).at(-1)).toMatchObject({
      type: 'TaskHeld',
      envelope: { actor: 'dashboard', reason: 'the printer is empty' },
    });
  });

  it('a person gives an action up, and continues at its button', async () => {
    const { id } = await service.waybill.queue('mail').enqueue();
    const page = await browser.open(`tasks/${id}`);
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await focused(page)).trim()).toBe('Cancel');
    expect((await service.waybill.task(id).get()).state).toBe('pending');
  });

  it('a person aborts a task by the menu of what is seldom done', async () => {
    const { id } = await service.waybill.queue('mail').enqueue();
    const page = await browser.open(`tasks/${id}`);
    await page.getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('button', { name: 'Abort' }).press('Enter');
    await page.getByRole('dialog').getByText('pending').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await service.waybill.task(id).get()).state).toBe('aborted');
  });

  it('a person follows a link, and continues at the new page', async () => {
    const page = await browser.open('tasks');
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor();
    await tabTo(page, 'Workers');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Workers' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('a person skips the navigation', async () => {
    const page = await browser.open('queues');
    await page.getByRole('link', { name: 'mail', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });
});

describe('without a mouse', () => {
  let known: { readonly id: string };
  let batch: string;
  beforeAll(async () => {
    known = await service.waybill.queue('mail').enqueue({}, { reference: 'letter-4711', key: 'customer-815' });
    await service.waybill.queue('parcels').define();
    batch = (await service.waybill.planBatch({ name: 'night 4711' }).create()).id;
  });

  it('D-15 keys open the search, pages, the help and rows, choose rows, and close what is open', async () => {
    const page = await browser.open('holds');
    await page.getByRole('heading', { name: 'Holds', exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog').getByText('Go to Queues').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await page.getByRole('link', { name: 'parcels', exact: true }).waitFor();
    await page.keyboard.press('j');
    expect((await focused(page)).trim()).toBe('mail');
    await page.keyboard.press('j');
    expect((await focused(page)).trim()).toBe('parcels');
    await page.keyboard.press('k');
    expect((await focused(page)).trim()).toBe('mail');
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByRole('link', { name: /letter-4711/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    expect(await page.locator('main tbody input:checked').count()).toBe(1);
    await page.close();
  });

  it.each([
    ['a queue', () => 'parc', /^parcels$/, 'parcels'],
    ['a task by its id', () => known.id, /letter-4711/, 'letter-4711'],
    ['a task by the end of its id', () => known.id.slice(-8), /letter-4711/, 'letter-4711'],
    ['a task by its reference', () => 'letter-4711', /letter-4711 pending/, 'letter-4711'],
    ['a task by its key', () => 'customer-815', /letter-4711/, 'letter-4711'],
    ['a batch by the end of its id', () => batch.slice(-8), /night 4711/, 'night 4711'],
    ['a batch by its name', () => 'night 47', /night 4711/, 'night 4711'],
    ['a page', () => 'trigg', /^Triggers/, 'Triggers'],
    ['a command', () => 'pause parcels', /^Pause queue parcels$/, 'Pause queue parcels'],
  ])('D-15 the palette finds %s', async (_, typed, option, heading) => {
    const page = await browser.open('system');
    await page.getByRole('heading', { name: 'System' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type(typed());
    await page.getByRole('option', { name: option }).first().waitFor();
    await page.keyboard.press('Enter');
    const found = page.getByRole('heading', { name: heading }).first();
    await found.waitFor();
    expect(await found.innerText()).toContain(heading);
    await page.close();
  });

  it('D-15 the palette offers first what can be done to what the page is about', async () => {
    const page = await browser.open(`tasks/${known.id}`);
    await page.getByRole('button', { name: 'Hold' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.getByRole('group', { name: 'This page' }).getByRole('option', { name: /^Hold/ }).waitFor();
    await page.keyboard.type('hold');
    await page.keyboard.press('Enter');
    const asked = page.getByRole('dialog').getByRole('heading', { name: /^Hold/ });
    await asked.waitFor();
    expect(await asked.innerText()).toBe('Hold task letter-4711');
    await page.close();
  });

  it('D-15 the palette offers the pages that the person has seen, the last one first, while they are there', async () => {
    const letter = await service.waybill.queue('mail').enqueue({}, { reference: 'letter-for-eve', key: 'eve' });
    const plan = await service.waybill.createBatch({ name: 'plan 12' });
    const page = await browser.open(`tasks/${letter.id}`);
    await page.getByRole('heading', { name: 'letter-for-eve' }).first().waitFor();
    for (const [route, seen] of [
      [`batches/${plan.id}`, 'What failed'],
      ['queues/parcels', 'Longest wait'],
      ['queues/mail', 'Longest wait'],
      ['system', 'Leaders'],
    ] as const) {
      await page.evaluate(`location.hash = '#/${route}'`);
      await page.waitForURL(`**/#/${route}`);
      await page.getByText(seen, { exact: true }).waitFor();
    }
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
    await page.keyboard.press('Control+k');
    await recent.filter({ hasText: 'letter-for-eve' }).waitFor();
    expect((await recent.allInnerTexts()).slice(0, 4).map((text) => text.trim().split('\n')[0])).toEqual([
      'mail',
      'parcels',
      'plan 12',
      'letter-for-eve',
    ]);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('letter-for-eve');
    await page.keyboard.type('for-ev');
    await recent.filter({ hasText: 'letter-for-eve' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'letter-for-eve' }).first().waitFor();

    await erased(service.waybill, { queue: 'mail', key: 'eve' });
    await plan.abort({ reason: 'test' });
    await plan.delete();
    await page.evaluate("location.hash = '#/system'");
    await page.getByRole('heading', { name: 'System' }).waitFor();
    await page.keyboard.press('Control+k');
    await recent.filter({ hasText: letter.id.slice(-8) }).waitFor();
    expect((await recent.allInnerTexts()).join()).not.toMatch(/letter-for-eve|plan 12/);
    expect(await page.evaluate("localStorage.getItem('waybill-visited')")).not.toContain(plan.id);
    await page.close();
  });

  it('D-15 what is typed before the palette has been loaded is searched for', async () => {
    const page = await browser.open('system');
    await page.getByRole('heading', { name: 'System' }).waitFor();
    let load = (): void => undefined;
    const isAskedFor = new Promise<void>((resolve) => (load = resolve));
    await page.route('**/dashboard/part-*.js', async (route) => (await isAskedFor, route.continue()));
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A page, a queue').waitFor();
    await page.keyboard.type('letter-');
    load();
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('4711');
    await page
      .getByRole('option', { name: /letter-4711 pending/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'letter-4711' }).first().waitFor();
    expect(page.url()).toContain(known.id);
    await page.close();
  });

  it.each(['/', '?'])('D-15 the key %s opens its dialog even if it comes while another closes', async (key) => {
    const page = await browser.open('holds');
    await page.getByRole('heading', { name: 'Holds', exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox').waitFor();
    await page.evaluate(pressOnceClosed(key));
    await page.keyboard.press('Escape');
    await page.evaluate('pressed');
    const opened = key === '?' ? page.getByText('Go to Queues') : page.getByRole('combobox');
    await opened.waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.close();
  });

  it('D-15 the first row is three stops of Tab away', async () => {
    const page = await browser.open('queues');
    await page.getByRole('link', { name: 'mail', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the first row');
    await page.keyboard.press('Enter');
    expect((await focused(page)).trim()).toBe('mail');
    await page.close();
  });
});
