import { createWaybill, type Waybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { ApiKey } from '../../src/api/access/api-keys.js';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, expectAccessible, picture, startBrowser } from './chromium.js';

const KEYS = { boss: ['read', 'enqueue', 'operate'], reader: ['read'], mailer: ['read:mail', 'operate:mail'] } as const;

const keyOf = (name: keyof typeof KEYS): ApiKey => ({
  name,
  may: KEYS[name],
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
});

const PROXY = { trustedProxies: ['127.0.0.1'], proxyUserHeader: 'X-Forwarded-User' };

let service: RunningService;
let browser: DashboardBrowser;
let boss: Waybill;
let task: string;
beforeAll(async () => {
  service = await startService({ apiKeys: [keyOf('boss'), keyOf('reader'), keyOf('mailer')], ...PROXY });
  boss = createWaybill({ url: service.url, apiKey: 'wb_boss' });
  for (const name of ['mail', 'sms']) await boss.queue(name).define();
  ({ id: task } = await boss.queue('mail').enqueue({ to: 'ann' }, { reference: 'letter-1' }));
  await boss.holds.place('maps', { collection: 'maps' });
  browser = await startBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** A page of somebody who has entered this API key. */
async function opened(key: keyof typeof KEYS, route: string, width = 1_440): Promise<Page> {
  const page = await browser.open(route, { width });
  await page.getByLabel('API key', { exact: true }).fill(`wb_${key}`);
  await page.getByRole('button', { name: 'Use it in this tab' }).click();
  await page.getByRole('button', { name: `Acting as ${key}:dashboard` }).waitFor();
  return page;
}

/** The names of the buttons in the page itself. */
const buttonsOf = (page: Page): Promise<string[]> => page.locator('main').getByRole('button').allInnerTexts();

/** What the browser says of answers without a key, before one is entered. */
const unexpected = (): string[] => browser.complaints().filter((complaint) => !complaint.includes('401'));

describe('a key that may only read', () => {
  it.each([
    ['queues/mail', 'Longest wait'],
    ['queues/mail?tab=policy', 'fields as by default'],
    ['queues', 'sms'],
    ['tasks', 'letter-1'],
    ['triggers', 'There is no trigger yet'],
    ['holds', 'collection=maps'],
    ['system', 'Leaders'],
  ])('D-16 is offered no command on %s', async (route, seen) => {
    const page = await opened('reader', route);
    await page.locator('main').getByText(seen).first().waitFor();
    await picture(page, `reader, ${route.replaceAll(/\W/g, ' ')}`);
    const commands = (await buttonsOf(page)).filter(
      (name) => !['Search', 'Copy', 'History', 'Keep as a view', ''].includes(name.trim()),
    );
    expect(commands).toEqual([]);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('columnheader', { name: 'Actions' }).count()).toBe(0);
    await page.close();
    expect(unexpected()).toEqual([]);
  });

  it('D-15 is offered no page that another key has seen, and none after its removal', async () => {
    const page = await opened('boss', `tasks/${task}`);
    await page.getByRole('heading', { name: 'letter-1' }).first().waitFor();
    const keyIs = async (key: keyof typeof KEYS): Promise<void> => {
      await page.getByLabel('API key', { exact: true }).fill(`wb_${key}`);
      await page.getByRole('button', { name: 'Use it in this tab' }).click();
      await page.getByRole('button', { name: `Acting as ${key}:dashboard` }).waitFor();
    };
    const visitsAre = async (count: number): Promise<void> => {
      await page.evaluate("location.hash = '#/system'");
      await page.getByRole('heading', { name: 'System' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('group', { name: 'Queues' }).getByRole('option').first().waitFor();
      if (count > 0) await page.getByRole('group', { name: 'Recent' }).getByRole('option').first().waitFor();
      expect(await page.getByRole('group', { name: 'Recent' }).getByRole('option').count()).toBe(count);
      await page.keyboard.press('Escape');
    };
    await visitsAre(1);
    await page.evaluate('sessionStorage.clear(); location.reload()');
    await keyIs('reader');
    await visitsAre(0);
    await page.evaluate('sessionStorage.clear(); location.reload()');
    await keyIs('boss');
    await visitsAre(1);
    await page.getByRole('button', { name: 'Acting as boss:dashboard' }).click();
    await page.getByRole('button', { name: 'Remove the API key' }).click();
    await keyIs('boss');
    await visitsAre(0);
    await page.close();
  });

  it('is told what it may do where its name stands', async () => {
    const page = await opened('reader', 'queues');
    await page.getByRole('button', { name: 'Acting as reader:dashboard' }).click();
    await page.getByRole('dialog').getByText('may: read. Nothing else is offered').waitFor();
    await expectAccessible(page, 'who acts');
    await page.close();
  });
});

describe('a key for one queue', () => {
  it('sees this queue, and no page about all of them', async () => {
    const page = await opened('mailer', '');
    await page.getByRole('link', { name: 'mail', exact: true }).waitFor();
    const pages = await page.getByRole('navigation', { name: 'Pages' }).getByRole('listitem').allInnerTexts();
    expect(pages.map((name) => name.trim())).toEqual(['Home', 'Queues', 'Tasks', 'Failures']);
    expect(await page.getByRole('link', { name: 'sms', exact: true }).count()).toBe(0);
    await picture(page, 'mailer, home');
    await page.goto(`${service.url}/dashboard/#/system`);
    await page.getByText('Your API key may read these: mail.').waitFor();
    await page.close();
  });

  it('is offered the pages in the palette that it may read', async () => {
    const page = await opened('mailer', 'queues');
    await page.getByRole('link', { name: 'mail', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /mail/ }).waitFor();
    expect(await page.getByRole('option', { name: /System|Workers|Triggers/ }).count()).toBe(0);
    await page.getByPlaceholder('A page, a queue, a batch, or a task').fill('letter-1');
    await page.getByRole('option', { name: /letter-1 pending/ }).waitFor();
    await page.close();
  });

  it('D-16 acts on it under the name that the page shows', async () => {
    const page = await opened('mailer', 'queues/mail');
    await page.getByRole('button', { name: 'Pause' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Recorded as mailer:dashboard.').waitFor();
    await dialog.getByLabel('Reason, for the history').fill('the printer is empty');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    const { pause } = await boss.queue('mail').get();
    expect(pause).toMatchObject({ by: 'mailer:dashboard', reason: 'the printer is empty' });
    await boss.queue('mail').resume();
    await page.close();
    expect(unexpected()).toEqual([]);
  });
});

describe('a person that a proxy has signed in', () => {
  it.each([1_440, 390])('D-16 is who acts, and cannot take another name, at %d px', async (width) => {
    const page = await browser.open('queues', { width });
    await page.setExtraHTTPHeaders({ 'X-Forwarded-User': 'ann@example.com', Authorization: 'Bearer wb_boss' });
    await page.goto(`${service.url}/dashboard/#/tasks/${task}`);
    await page.reload();
    await page.getByRole('button', { name: 'Acting as boss:ann@example.com' }).click();
    const person = page.getByRole('dialog');
    await person.getByText('You are signed in as ann@example.com').waitFor();
    expect(await person.getByRole('textbox').count()).toBe(0);
    await picture(page, `signed in ${width}`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Hold' }).click();
    await page.getByRole('dialog').getByText('Recorded as boss:ann@example.com.').waitFor();
    await picture(page, `acts ${width}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Hold' }).click();
    await page.getByRole('button', { name: 'Release' }).waitFor();
    const events = await boss.task(task).history();
    expect(events.at(-1)).toMatchObject({ type: 'TaskHeld', envelope: { actor: 'boss:ann@example.com' } });
    await boss.task(task).release();
    await page.close();
    browser.complaints();
  });
});
