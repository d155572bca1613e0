import type { Page } from 'playwright-core';
import { makeConsole } from '../acceptance/s3/console.js';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, picture, startBrowser } from './chromium.js';
import { breakIngest, planIngest } from './ingest.js';

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

/** A task in the drawing. Its text is its title and its state. */
const nodeOf = (page: Page, title: string) => page.locator('[data-node]', { hasText: title });

/** Where it is, so that the test sees columns and rows as a person does. */
async function placeOf(page: Page, title: string) {
  const { x, y } = (await nodeOf(page, title).locator('text').first().boundingBox())!;
  return { x: Math.round(x), y: Math.round(y) };
}

const columnOf = async (page: Page, ...titles: string[]): Promise<number[]> =>
  Promise.all(titles.map(async (title) => (await placeOf(page, title)).x));

describe('the graph of an ingest of eight tasks', () => {
  it('S3-17 S3-18 shows them in columns by what they wait for', async () => {
    const { batch } = await planIngest(service.waybill, 'ingest 1');
    const page = await browser.open(`batches/${batch.id}/graph`, { width: 1_600 });
    await nodeOf(page, 'copy assets').waitFor();
    expect(await page.locator('[data-node]').count()).toBe(8);
    const [first] = await columnOf(page, 'copy assets');
    const second = await columnOf(page, 'read links', 'make previews', 'count pages');
    const third = await columnOf(page, 'check links', 'store previews');
    const fourth = await columnOf(page, 'publish', 'notify');
    for (const column of [second, third, fourth]) expect(new Set(column).size).toBe(1);
    expect([first! < second[0]!, second[0]! < third[0]!, third[0]! < fourth[0]!]).toEqual([true, true, true]);
    const heights = await Promise.all(
      ['read links', 'make previews', 'count pages'].map(async (title) => (await placeOf(page, title)).y),
    );
    expect(new Set(heights).size).toBe(3);
    await picture(page, 'graph of an ingest');
  });

  it.each(['light', 'dark'] as const)(
    'S3-10 tells what failed, what runs and how far, and what is blocked by what, in words and colours: %s',
    async (colorScheme) => {
      const ingest = await planIngest(service.waybill, `ingest ${colorScheme}`);
      await breakIngest(ingest);
      const page = await browser.open(`batches/${ingest.batch.id}/graph`, { width: 1_600, colorScheme });
      await nodeOf(page, 'read links').waitFor();
      expect(await nodeOf(page, 'read links').textContent()).toContain('failed');
      expect(await nodeOf(page, 'make previews').textContent()).toContain('running, 58 %');
      expect(await nodeOf(page, 'check links').textContent()).toContain('blocked, pending');
      expect(await page.getByText(/waits for .*: failed\./).textContent()).toBe(
        'check links waits for read links: failed.',
      );
      const colours = await Promise.all(
        ['read links', 'count pages', 'check links'].map((title) => colourOf(page, title)),
      );
      expect(new Set(colours).size).toBe(3);
      expect(await page.locator('path[data-cause]').count()).toBe(1);
      await picture(page, `graph of a broken ingest, ${colorScheme}`);
    },
  );

  it('is followed while it is looked at, from the failure over its repair to the end', async () => {
    const ingest = await planIngest(service.waybill, 'ingest repaired');
    const { queue, batch } = ingest;
    await breakIngest(ingest);
    const page = await browser.open(`batches/${batch.id}`);
    await page.getByText('2 tasks of 8 succeeded').waitFor();
    await page.getByRole('link', { name: 'Graph of its tasks' }).click();
    await page.getByText('check links waits for read links').waitFor();
    await queue.task('read links').retry({ reason: 'the disk is empty again' });
    await queue.succeed('make previews');
    await queue.workOff(5);
    await nodeOf(page, 'publish').filter({ hasText: 'succeeded' }).waitFor();
    expect(await page.getByText(/waits for .*: failed\./).count()).toBe(0);
    await page.locator('[data-node=succeeded]').nth(7).waitFor();
  });
});

interface Styles {
  getComputedStyle(element: unknown): { readonly fill: string };
}

const colourOf = (page: Page, title: string): Promise<string> =>
  nodeOf(page, title)
    .locator('rect')
    .last()
    .evaluate((bar) => (globalThis as unknown as Styles).getComputedStyle(bar).fill);

describe('a task that waits for others', () => {
  it('shows what it needs and what needs it, and leads to its graph by keyboard', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ first: [], middle: ['first'], last: ['middle'] });
    await queue.take();
    await queue.fail('first');
    const page = await browser.open(`tasks/${queue.idOf('middle')}`);

    await page.getByRole('list', { name: 'Needed by' }).waitFor();
    expect(await page.getByRole('list', { name: 'Needs' }).innerText()).toMatch(/first\s+failed/);
    expect(await page.getByRole('list', { name: 'Needed by' }).innerText()).toMatch(/last\s+blocked, pending/);
    await page.getByRole('link', { name: 'Graph of all of them' }).press('Enter');
    await nodeOf(page, 'first').waitFor();
    await page
      .getByRole('group', { name: 'Tasks and what they wait for' })
      .getByRole('link', { name: 'first' })
      .focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('main').getByText(queue.idOf('last'), { exact: true }).waitFor();
  });
});

describe('a graph of 300 tasks', () => {
  it('shows those of one state as one, and the failed one by itself', async () => {
    const queue = await makeConsole(service.waybill);
    const some = Array.from({ length: 299 }, (_, n) => `part ${n}`);
    await queue.addAll(Object.fromEntries([['whole', []], ...some.map((name) => [name, ['whole']])]));
    await queue.take();
    await queue.fail('whole');
    const page = await browser.open(`tasks/${queue.idOf('part 7')}/graph`);
    await nodeOf(page, 'whole').waitFor();
    expect(await page.locator('[data-node]').count()).toBe(3);
    expect(await nodeOf(page, '298 × blocked').count()).toBe(1);
    expect(await nodeOf(page, 'part 7').textContent()).toContain('blocked, pending');
    expect(await page.getByText(/waits for .*: failed\./).textContent()).toBe('part 7 waits for whole: failed.');
    await page.getByText('300 tasks, 299 of them blocked.').waitFor();
    await picture(page, 'graph of 300 tasks');
  });
});

describe('a graph that does not fit', () => {
  it('is moved and zoomed by keys and buttons, and shown whole', async () => {
    const queue = await makeConsole(service.waybill);
    const names = Array.from({ length: 12 }, (_, n) => `part ${n}`);
    await queue.addAll(Object.fromEntries(names.map((name, n) => [name, n === 0 ? [] : [names[n - 1]!]])));
    const page = await browser.open(`tasks/${queue.idOf('part 0')}/graph`);
    await nodeOf(page, 'part 0').first().waitFor();
    const sight = async (): Promise<number[]> =>
      (await page.getByRole('group', { name: 'Tasks and what they wait for' }).getAttribute('viewBox'))!
        .split(' ')
        .map(Number);
    const [x, , width] = await sight();
    await page.getByRole('region', { name: /^Graph/ }).press('ArrowRight');
    expect((await sight())[0]).toBeGreaterThan(x!);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect((await sight())[2]).toBeLessThan(width!);
    await page.getByRole('button', { name: 'Show all of it' }).click();
    const [left, , whole] = await sight();
    expect([left! < 0, whole! > 12 * 200]).toEqual([true, true]);
    await page
      .getByRole('group', { name: 'Tasks and what they wait for' })
      .getByRole('link', { name: 'part 11' })
      .focus();
    await page.keyboard.press('Enter');
    await page.locator('main').getByText(queue.idOf('part 11'), { exact: true }).waitFor();
  });
});
