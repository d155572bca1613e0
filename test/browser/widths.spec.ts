import type { Page } from 'playwright-core';
import type { Route } from '../../packages/dashboard/src/route.js';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, overhang, picture, startBrowser } from './chromium.js';
import { LONGEST, type LongStory, tellLongStory } from './longest.js';

const WIDTHS = [390, 768, 1_024, 1_280, 1_920];

let service: RunningService;
let browser: DashboardBrowser;
let story: LongStory;
beforeAll(async () => {
  service = await startService({
    webhookSecrets: { ['x'.repeat(32)]: `whsec_${Buffer.alloc(24).toString('base64')}` },
  });
  story = await tellLongStory(service);
  browser = await startBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

type Look = readonly [route: () => string, whenSeen: (page: Page) => Promise<unknown>];

/** Of each page: a route to it, and what is there once it is whole. */
const PAGES: Record<Route['page'], Look> = {
  queues: [() => 'queues', (page) => page.getByRole('link', { name: LONGEST.queue }).waitFor()],
  queue: [() => `queues/${LONGEST.queue}?range=1h`, (page) => page.getByText('The figures as a table').waitFor()],
  tasks: [() => 'tasks', selectAll],
  task: [() => `tasks/${story.failed}`, openEverything],
  'task-graph': [() => `tasks/${story.blocked}/graph`, (page) => page.getByRole('row').nth(1).waitFor()],
  batches: [() => 'batches', (page) => page.getByRole('link', { name: LONGEST.batch }).waitFor()],
  batch: [() => `batches/${story.batch}`, (page) => page.getByText('Still open').waitFor()],
  'batch-graph': [() => `batches/${story.batch}/graph`, (page) => page.getByRole('row').nth(1).waitFor()],
  triggers: [() => 'triggers', (page) => page.getByRole('rowheader', { name: LONGEST.trigger }).waitFor()],
  system: [() => 'system', (page) => page.getByRole('rowheader', { name: LONGEST.worker }).first().waitFor()],
};

const NONSENSE = 'nonsense'.padEnd(300, 'W');
const LOOKS: Record<string, Look> = {
  'a running task': [() => `tasks/${story.running}`, (page) => page.getByRole('progressbar').first().waitFor()],
  'a blocked task': [() => `tasks/${story.blocked}`, (page) => page.locator('.neighbours').first().waitFor()],
  'no task': [() => `tasks?step=${LONGEST.working}&key=${NONSENSE}`, noneMatches],
  'an unknown task': [() => `tasks/${NONSENSE}`, (page) => page.getByRole('alert').waitFor()],
  'an unknown queue': [() => `queues/${NONSENSE}`, (page) => page.getByRole('alert').first().waitFor()],
  'an unknown batch': [() => `batches/${NONSENSE}`, (page) => page.getByRole('alert').first().waitFor()],
  'an unknown graph': [() => `tasks/${NONSENSE}/graph`, (page) => page.getByRole('alert').first().waitFor()],
  'a state that is none': [() => `tasks?state=${NONSENSE}`, (page) => page.getByRole('alert').first().waitFor()],
  'a batch that is none': [() => `tasks?batch=${NONSENSE}`, (page) => page.getByRole('alert').first().waitFor()],
  'a question': [() => `queues/${LONGEST.queue}`, askToDelete],
};

async function openEverything(page: Page): Promise<void> {
  for (const event of await page.locator('.history button').all()) await event.click();
  for (const fold of await page.locator('summary').all()) await fold.click();
}

async function selectAll(page: Page): Promise<void> {
  await page.getByLabel('Select all shown tasks').check();
  await page.getByRole('button', { name: 'Select none' }).waitFor();
}

async function noneMatches(page: Page): Promise<void> {
  await page.getByText('No task matches').waitFor();
}

async function askToDelete(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').waitFor();
}

const looks = Object.entries({ ...PAGES, ...LOOKS });

it.each(looks)('nothing is wider than the window: %s', async (name, [route, whenSeen]) => {
  const page = await browser.open(route());
  await page.getByText(LONGEST.reason).first().waitFor();
  await whenSeen(page);
  const beyond: Record<number, number> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await picture(page, `longest ${name} ${width}`);
    beyond[width] = await overhang(page);
  }
  await page.close();
  expect(beyond).toEqual(Object.fromEntries(WIDTHS.map((width) => [width, 0])));
});
