import { createWaybill, type Waybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startWaybill } from '../../src/index.js';
import { HOSTS } from '../support/mounting-applications.js';
import { type RunningService, startService } from '../support/running-service.js';
import { createTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, goTo, inaccessible, picture, startBrowser } from './chromium.js';
import { type Incident, incident } from './scenes/incident.js';
import { atOnce, succeed, work } from './scenes/stage.js';

let payloads: string;
let service: RunningService;
let browser: DashboardBrowser;
/** Goes from page to page. */
let tab: Page;
let waybill: Waybill;
let scene: Incident;
let known: Awaited<ReturnType<typeof scans>>;
beforeAll(async () => {
  payloads = await mkdtemp(join(tmpdir(), 'waybill-payloads-'));
  service = await startService({ payloadStore: payloads });
  waybill = service.waybill;
  browser = await startBrowser(service.url);
  scene = await incident(atOnce(service.as));
  known = await scans();
  tab = await browser.open('');
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await rm(payloads, { recursive: true });
});

/** A batch of three tasks that a worker began: one is half done, one succeeded, and one was lost and then succeeded. */
async function scans() {
  const queue = waybill.queue('scans');
  await queue.define({ search: ['volume'] });
  const batch = await waybill.planBatch({ name: 'Scans' }).create();
  const references = ['half', 'well', 'lost'];
  const made = await queue.enqueueMany(
    references.map((reference, n) => ({ reference, batch: batch.id, payload: { volume: n } })),
  );
  await batch.open(references.length);
  const [half = '', , lost = ''] = made.map((one) => ('id' in one ? one.id : ''));
  const tasks = await queue.claim({ worker: 'scanner-1', max: 2, leaseMs: 3_600_000, waitMs: 30_000 });
  const [first, second] = tasks;
  const progress = [{ title: 'pages', start: 0, end: 50, position: 25 }];
  await waybill.extend([{ taskId: first!.taskId, token: first!.token, progress }]);
  await waybill.settle([{ taskId: second!.taskId, token: second!.token, verdict: succeed() }]);
  await queue.claim({ worker: 'scanner-2', leaseMs: 1_000, waitMs: 30_000 });
  await until('the lease of scanner-2 to be lost', async () =>
    (await waybill.task(lost).history()).find(({ type }) => type === 'TaskLeaseExpired'),
  );
  await work(waybill, { queue: 'scans', count: 1, worker: 'scanner-3', verdict: succeed });
  return { batch: batch.id, half, lost };
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Goes to the page in the window that stays open, and sees that it shows what it must. */
async function seen(route: string, see: (page: Page) => Promise<unknown>): Promise<void> {
  await tab.setViewportSize({ width: 1_440, height: 800 });
  await goTo(tab, route);
  await see(tab);
}

/** In a window of its own, where nothing has the focus and nothing has been chosen. */
async function seenAnew(route: string, see: (page: Page) => Promise<unknown>): Promise<void> {
  const page = await browser.open(route, { width: 1_440 });
  await see(page);
  await page.close();
}

describe('the 19 features', () => {
  it('D-24 1: the list of queues has the course of the last hour from the service', () =>
    seen('queues', async (page) => {
      const course = rowOf(page, scene.queue).getByRole('img', { name: /^the last hour: / });
      await course.waitFor();
      expect(await course.getAttribute('aria-label')).toContain('122 failed');
    }));

  it('D-24 2: a page is told what changes', () =>
    seenAnew('queues', async (page) => {
      // It asks for nothing by itself.
      await page.addInitScript({ content: 'window.setInterval = () => 0;' });
      await page.reload();
      await rowOf(page, scene.queue).first().waitFor();
      await waybill.queue('told').define();
      await rowOf(page, 'told').first().waitFor();
      expect(await rowOf(page, 'told').count()).toBe(1);
    }));

  it('D-24 3 to 5: commands to a selection, and to all that match, are tracked on a page of their own', () =>
    seen(`tasks?q=queue:${scene.queue} state:failed`, async (page) => {
      await page.getByRole('checkbox', { name: 'Select the row' }).first().click();
      await page
        .getByRole('checkbox', { name: 'Select the row' })
        .nth(3)
        .click({ modifiers: ['Shift'] });
      const bar = page.getByRole('group', { name: 'Selected tasks' });
      await bar.getByText('4 tasks').waitFor();
      await bar.getByRole('button', { name: 'All that match' }).click();
      expect(await bar.getByRole('status').innerText()).toContain('All tasks that match');
      await bar.getByRole('button', { name: 'Only the selected' }).click();
      await bar.getByRole('button', { name: 'Retry', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('4 tasks').first().waitFor();
      await dialog.getByLabel('Reason').fill('to see it');
      await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
      await page.getByText('All 4 tasks took the command.').waitFor();
      await goTo(page, 'operations');
      await rowOf(page, 'to see it').first().waitFor();
    }));

  it('D-24 6: a search finds tasks by what their payloads and errors say', async () => {
    await seen('tasks?q=queue:scans payload.volume:2', async (page) => {
      await page.getByRole('link', { name: /^lost/ }).waitFor();
      expect(await page.locator('main tbody tr').count()).toBe(1);
    });
    await seen('tasks?q=error:card_declined', async (page) => {
      await page.getByText('36 tasks').waitFor();
      expect(await page.locator('main tbody tr').count()).toBe(36);
    });
  });

  it('D-24 7: the graph of a batch is drawn, zoomed and listed', () =>
    seen(`batches/${known.batch}/graph`, async (page) => {
      const drawing = page.getByRole('group', { name: 'Tasks and what they wait for' });
      // From then on, only people move it: before, it follows the size of its place.
      await page.getByRole('button', { name: 'Show all of it' }).click();
      const whole = await drawing.getAttribute('viewBox');
      await page.getByRole('button', { name: 'Zoom in' }).click();
      expect(await drawing.getAttribute('viewBox')).not.toBe(whole);
      const nodes = await drawing.locator('[data-node]').count();
      expect(nodes).toBeGreaterThan(0);
      expect(await page.getByRole('table', { name: 'Tasks of the graph' }).locator('tbody tr').count()).toBe(nodes);
    }));

  it('D-24 8: a batch has a timeline on a linear, labelled axis that names lost leases', () =>
    seen(`batches/${known.batch}`, async (page) => {
      const timeline = page.getByRole('figure', { name: /^Timeline of 3 tasks/ });
      await timeline.getByText(/^attempt 1 by scanner-2, .*, lost$/).waitFor();
      const bars = timeline.getByRole('img');
      expect(await bars.count()).toBe(4);
      const ticks = await timeline.locator('[data-ms]').evaluateAll((marks) =>
        marks.map((mark) => ({
          ms: Number(mark.getAttribute('data-ms')),
          x: mark.getBoundingClientRect().left,
        })),
      );
      expect(ticks.length).toBeGreaterThan(2);
      const [zero, one] = ticks;
      for (const [n, { x }] of ticks.entries()) expect(x - zero!.x).toBeCloseTo(n * (one!.x - zero!.x), 0);
      await picture(page, 'batch timeline');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(page, 'batch timeline, phone');
      expect(await inaccessible(page)).toEqual([]);
    }));

  it('D-24 9: a task, a queue and a batch have histories', async () => {
    for (const [route, event] of [
      [`tasks/${known.lost}`, 'Task lease expired'],
      ['queues/scans?tab=history', 'Queue defined'],
      [`batches/${known.batch}`, 'Batch opened'],
    ] as const)
      await seen(route, async (page) => {
        const name = page.locator('b', { hasText: event }).first();
        await name.waitFor();
        expect(await name.innerText()).toBe(event);
      });
  });

  it('D-24 10: a page stands at a moment of the past', async () => {
    const [enqueued] = await waybill.task(known.half).history();
    await seen(`tasks/${known.half}?at=${enqueued!.position}`, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'half' }).waitFor();
      expect(await page.locator('main').getByText('running', { exact: true }).count()).toBe(0);
    });
  });

  it('D-24 11: two versions of a policy are compared, and what changed is marked', () =>
    seen(`queues/${scene.queue}?tab=policy&from=1&to=2`, async (page) => {
      const marked = page
        .getByRole('region', { name: 'Version 2 beside version 1' })
        .getByText('changed', { exact: true });
      await marked.first().waitFor();
      expect(await marked.count()).toBeGreaterThan(0);
    }));

  it('D-24 12: failures are grouped by their cause', () =>
    seen('failures', async (page) => {
      await page.getByRole('table', { name: 'Failure groups' }).waitFor();
      expect(await page.locator('main tbody tr').count()).toBe(3);
    }));

  it('D-24 13: a progress bar says how long the rest takes', () =>
    seen(`tasks/${known.half}`, async (page) => {
      const card = page.getByRole('region', { name: 'Progress of attempt 1' });
      await card.getByText(/^about .* left at this pace$/).waitFor();
      expect(await card.getByRole('progressbar').getAttribute('value')).toBe('50');
    }));

  it('D-24 14: keys lead to pages, and ? says which', () =>
    seen('holds', async (page) => {
      await page.getByRole('heading', { name: 'Holds', exact: true }).waitFor();
      await page.keyboard.press('Shift+?');
      await page.getByRole('dialog').getByText('Go to Queues').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('g');
      await page.keyboard.press('q');
      await page.getByRole('heading', { name: 'Queues', exact: true }).first().waitFor();
      expect(page.url()).toContain('#/queues');
    }));

  it('D-24 15: the theme is switched, and stays', () =>
    seenAnew('queues', async (page) => {
      const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      const before = await ground();
      await page.getByRole('button', { name: 'Theme: system. Change to light' }).click();
      await page.getByRole('button', { name: 'Theme: light. Change to dark' }).click();
      const dark = await ground();
      expect(dark).not.toBe(before);
      await page.reload();
      await page.getByRole('button', { name: 'Theme: dark. Change to system' }).waitFor();
      expect(await ground()).toBe(dark);
    }));

  it('D-24 16: what axe looks for is not there, and a link skips to the content', () =>
    seenAnew('', async (page) => {
      await page.getByText(/needs? somebody/).waitFor();
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
      expect(await inaccessible(page)).toEqual([]);
    }));

  it('D-24 17: who may only read is offered no command', async () => {
    const keyOf = (name: string, may: readonly ['read'] | readonly ['read', 'operate']) => ({
      name,
      may,
      sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
    });
    const guarded = await startService({ apiKeys: [keyOf('reader', ['read']), keyOf('boss', ['read', 'operate'])] });
    await createWaybill({ url: guarded.url, apiKey: 'wb_boss' }).queue('mail').define();
    const other = await startBrowser(guarded.url);
    const page = await other.open('queues/mail', { width: 1_440 });
    await page.getByLabel('API key', { exact: true }).fill('wb_reader');
    await page.getByRole('button', { name: 'Use it in this tab' }).click();
    // With these come the commands; the heading comes before.
    await page.getByRole('navigation', { name: 'Views of the queue' }).waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    await page.close();
    await other.close();
    await guarded.stop();
  });

  it('D-24 18: an application mounts it behind its own login, and says who is signed in', async () => {
    const database = await createTestDatabase();
    const embedded = await startWaybill({ databaseUrl: database.url, http: { path: '/ops' } });
    const host = await HOSTS[0]![1](embedded);
    const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(new URL(path, `${host.url}/ops/dashboard/`), { headers, redirect: 'manual' });
    const ann = { cookie: 'session=ann' };
    const html = await (await ask('', ann)).text();
    expect(html).toContain('id="app"');
    const script = /<script[^>]* src="([^"]+)"/.exec(html)![1]!;
    for (const path of ['', script, '../v1/me', '../v1/queues']) {
      expect([path, (await ask(path)).status]).toEqual([path, 401]);
      expect([path, (await ask(path, ann)).status]).toEqual([path, 200]);
    }
    expect((await ask(script, ann)).headers.get('content-type')).toContain('javascript');
    expect(await (await ask('../v1/me', ann)).json()).toMatchObject({ actor: 'ann' });
    await host.close();
    await embedded.stop();
    await database.drop();
  });

  it('D-24 19: an address keeps the search, and can be sent', async () => {
    const address = `tasks?q=queue:${scene.queue} state:failed&sort=deadline`;
    await seen(address, async (page) => {
      const search = page.getByLabel('Search tasks');
      await search.waitFor();
      expect(await search.inputValue()).toBe(`queue:${scene.queue} state:failed`);
      expect(await page.getByRole('link', { name: 'by deadline' }).getAttribute('aria-current')).toBe('true');
    });
  });

  it('a payload outside the log is named, and loaded when somebody asks', async () => {
    await waybill.queue('large').define({ payloadsOutsideAboveBytes: 1_024 });
    const { id } = await waybill.queue('large').enqueue({ text: 'quetzal'.repeat(500) });

    await seen(`tasks/${id}`, async (page) => {
      await page.getByText(/^3\.5 kB outside the log since .*, SHA-256 [0-9a-f]{64}\.$/).waitFor();
      expect(await page.getByText('quetzal').count()).toBe(0);
      await page.getByRole('button', { name: 'Load the payload' }).click();
      await page.getByText('quetzalquetzal').waitFor();
      expect(await page.getByRole('button', { name: 'Load the payload' }).count()).toBe(0);
    });
  });

  it('the submissions that a task gathered are listed, and why it waits for more', async () => {
    const queue = waybill.queue('sync');
    await queue.define({ duplicatePending: 'gather', gather: { quietMs: 86_400_000, payloads: 'all' } });
    const { id } = await queue.enqueue({ order: 'first-order' }, { key: 'acme' });
    await queue.enqueue({ order: 'second-order' }, { key: 'acme' });

    await seen(`tasks/${id}`, async (page) => {
      await page.getByRole('heading', { name: '2 submissions' }).waitFor();
      const list = page.locator('ol > li').filter({ hasText: 'second-order' });
      expect(await list.filter({ hasText: 'first-order' }).count()).toBe(0);
      expect(await page.getByText('second-order').filter({ visible: true }).count()).toBe(1);
      await page.getByText(/^It gathers submissions of its key until/).waitFor();
    });
  });

  it('the payload that a task took from the last of its submissions is shown once', async () => {
    const queue = waybill.queue('debounced');
    await queue.define({ duplicatePending: 'gather', gather: { quietMs: 86_400_000 } });
    const { id } = await queue.enqueue({ order: 'first-order' }, { key: 'acme' });
    await queue.enqueue({ order: 'second-order' }, { key: 'acme' });

    await seen(`tasks/${id}`, async (page) => {
      await page.getByText(/, with the payload below$/).waitFor();
      await page.getByRole('region', { name: '2 submissions' }).getByText('first-order').waitFor();
      expect(await page.getByText('second-order').filter({ visible: true }).count()).toBe(1);
    });
  });
});
