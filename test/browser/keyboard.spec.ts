import type { Page } from 'playwright-core';
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
