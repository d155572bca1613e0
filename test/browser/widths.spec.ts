import type { Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, overhang, picture, startBrowser } from './chromium.js';
import { LONGEST, type LongStory, tellLongStory } from './longest.js';

const WIDTHS = [390, 768, 1_024, 1_280, 1_920];

let service: RunningService;
let browser: DashboardBrowser;
let story: LongStory;
beforeAll(async () => {
  service = await startService({
    inboundSecrets: { [LONGEST.inbound]: 'a secret of 24 letters' },
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
const PAGES: Readonly<Record<string, Look>> = {
  home: [() => '', (page) => page.getByText(/needs? somebody/).waitFor()],
  queues: [() => 'queues', (page) => page.getByRole('link', { name: LONGEST.queue }).first().waitFor()],
  queue: [() => `queues/${LONGEST.queue}`, (page) => page.getByText(/The figures as a table/).waitFor()],
  policy: [() => `queues/${LONGEST.queue}?tab=policy`, (page) => page.getByText(/fields? as by default$/).click()],
  tasks: [() => 'tasks', selectAll],
  task: [() => `tasks/${story.failed}`, openEverything],
  'task graph': [() => `tasks/${story.blocked}/graph`, (page) => page.getByRole('row').nth(1).waitFor()],
  failures: [() => 'failures', (page) => page.getByRole('row').nth(1).waitFor()],
  batches: [() => 'batches', (page) => page.getByRole('link', { name: LONGEST.batch }).waitFor()],
  batch: [() => `batches/${story.batch}`, (page) => page.getByText('Still open').waitFor()],
  'batch graph': [() => `batches/${story.batch}/graph`, (page) => page.getByRole('row').nth(1).waitFor()],
  activity: [() => 'activity', (page) => page.getByRole('row').nth(1).waitFor()],
  triggers: [() => 'triggers', (page) => page.getByRole('link', { name: LONGEST.trigger }).waitFor()],
  trigger: [() => `triggers/${LONGEST.trigger}`, (page) => page.getByText('Next times').waitFor()],
  holds: [() => 'holds', (page) => page.getByText(LONGEST.resource).first().waitFor()],
  workers: [() => 'workers', (page) => page.getByText(LONGEST.worker).first().waitFor()],
  system: [() => 'system', (page) => page.getByText('Leaders', { exact: true }).waitFor()],
};

const NONSENSE = 'nonsense'.padEnd(300, 'W');
const LOOKS: Readonly<Record<string, Look>> = {
  'a trigger of deliveries': [
    () => `triggers/${LONGEST.inbound}`,
    (page) => page.getByText('Last deliveries').waitFor(),
  ],
  'a running task': [() => `tasks/${story.running}`, (page) => page.getByRole('progressbar').first().waitFor()],
  'a blocked task': [() => `tasks/${story.blocked}`, (page) => page.getByText('Graph of all of them').waitFor()],
  'no task': [() => `tasks?q=queue:${LONGEST.queue} key:${NONSENSE}`, noneMatches],
  'an unknown task': [() => `tasks/${NONSENSE}`, (page) => page.getByRole('alert').waitFor()],
  'an unknown queue': [() => `queues/${NONSENSE}`, (page) => page.getByRole('alert').first().waitFor()],
  'an unknown batch': [() => `batches/${NONSENSE}`, (page) => page.getByRole('alert').first().waitFor()],
  'an unknown graph': [() => `tasks/${NONSENSE}/graph`, (page) => page.getByRole('alert').first().waitFor()],
  'a search that is none': [() => `tasks?q=state:${NONSENSE}`, (page) => page.getByRole('alert').first().waitFor()],
  'a page that is none': [() => NONSENSE, (page) => page.getByText('There is no such page').waitFor()],
  'a question': [() => `queues/${LONGEST.queue}`, askToDelete],
};

async function openEverything(page: Page): Promise<void> {
  await page.getByText('Task failed', { exact: true }).first().waitFor();
  for (const fold of await page.locator('summary').all()) await fold.click();
}

async function selectAll(page: Page): Promise<void> {
  await page.getByLabel('Select all shown rows').check();
  await page.getByRole('group', { name: 'Selected tasks' }).waitFor();
}

async function noneMatches(page: Page): Promise<void> {
  await page.getByText('No task matches').waitFor();
}

async function askToDelete(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
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
