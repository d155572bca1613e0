import type { Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, expectAccessible, goTo, startBrowser } from './chromium.js';
import { makeJob } from './made-job.js';
import { atOnce } from './scenes/stage.js';
import { studio, type Studio } from './scenes/studio.js';
import { breakIngest, type Ingest, planIngest } from './ingest.js';
import { type Story, tellStory } from './story.js';

let service: RunningService;
let browser: DashboardBrowser;
let page: Page;
let story: Story;
let ingest: Ingest;
let job: string;
let operation: string;
let group: string;
let flow: Studio;
beforeAll(async () => {
  service = await startService();
  story = await tellStory(service.waybill);
  ingest = await planIngest(service.waybill, 'CAN ingest 4711');
  await breakIngest(ingest);
  const nightly = { cron: '30 2 * * 1-5', timeZone: 'Europe/Berlin', task: { queue: 'mail' } };
  await service.waybill.trigger('nightly-report').define({ ...nightly, description: 'Sales of the day before' });
  job = await makeJob(service.waybill);
  const collection = { collection: 'maps-of-the-northern-provinces', type: 'scan' };
  await service.waybill.holds.place('maps', collection, { reason: 'the rights are being cleared' });
  await service.pool.query(
    `insert into quarantined (task_id, position, error, retry_at) values ($1, 7, $2, now() + interval '1 hour')`,
    [UNREADABLE, "Expected 'attempt' to be a number, but it is missing"],
  );
  const { policyVersion } = await service.waybill.queue('mail').get();
  await service.waybill.queue('mail').changePolicy({ leaseMs: 60_000 }, { ifVersion: policyVersion });
  operation = await refusedRetry();
  const last = await service.waybill.queue('mail').pause({ reason: 'lunch' });
  for (const { name } of await service.waybill.projections()) await service.caughtUp(name, last.position);
  for await (const { id, queues } of service.waybill.failures.list()) if (queues.includes('mail')) group = id;
  flow = await studio(atOnce(service.as));
  browser = await startBrowser(service.url);
  page = await browser.open('');
});

/** An operation for a task that does not allow it. */
async function refusedRetry(): Promise<string> {
  const { id } = await service.waybill.operate('retry', { tasks: [story.running] });
  await until('the operation to have ended', async () => (await service.waybill.operation(id!)).finishedAt);
  return id!;
}
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const UNREADABLE = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e50';
/** A page, and what must be there and done before it is looked at. */
const PAGES: [string, () => string, (page: Page) => Promise<void>][] = [
  ['home', () => '', (page) => page.getByText(/need somebody|needs somebody/).waitFor()],
  ['queues', () => 'queues', (page) => page.getByRole('link', { name: 'thumbnails' }).waitFor()],
  ['queue', () => 'queues/mail', (page) => page.getByText('What fails').waitFor()],
  [
    'charts of a queue',
    () => 'queues/mail?range=6h',
    async (page) => {
      await page.getByText('The figures as a table').click();
      await page.getByRole('columnheader', { name: 'Throughput: succeeded' }).waitFor();
    },
  ],
  [
    'policy',
    () => 'queues/mail?tab=policy&from=1&to=2',
    (page) => page.getByText('Version 2 beside version 1').waitFor(),
  ],
  ['history of a queue', () => 'queues/mail?tab=history', (page) => page.getByText('Queue defined').waitFor()],
  [
    'paused queue',
    () => 'queues/thumbnails',
    (page) => page.getByText('anonymous: the file server is being moved', { exact: true }).waitFor(),
  ],
  ['tasks', () => 'tasks', (page) => page.getByRole('link', { name: story.failed.slice(-8) }).waitFor()],
  ['no tasks', () => 'tasks?q=queue:thumbnails', (page) => page.getByText('No task matches').waitFor()],
  ['running task', () => `tasks/${story.running}`, (page) => page.getByRole('progressbar').first().waitFor()],
  ['failed task', () => `tasks/${story.failed}`, openTheHistory],
  ['action', () => `tasks/${story.failed}`, askToRetry],
  ['unknown task', () => 'tasks/019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f', (page) => page.getByRole('alert').waitFor()],
  ['failures', () => 'failures', (page) => page.getByText(/Expected an address/).waitFor()],
  ['failure', () => `failures/${group}`, (page) => page.getByText('Tasks that failed with it last').waitFor()],
  ['batches', () => 'batches', (page) => page.getByRole('link', { name: 'CAN ingest 4711' }).waitFor()],
  ['batch', () => `batches/${ingest.batch.id}`, (page) => page.getByText('2 tasks of 8 succeeded').waitFor()],
  ['graph', () => `batches/${ingest.batch.id}/graph`, (page) => page.getByText('waits for').first().waitFor()],
  [
    'blocked task',
    () => `tasks/${ingest.queue.idOf('publish')}`,
    (page) => page.getByText('Graph of all of them').waitFor(),
  ],
  ['operations', () => 'operations', (page) => page.getByText('retry').first().waitFor()],
  ['operation', () => `operations/${operation}`, (page) => page.getByText('1 task took the command').waitFor()],
  ['activity', () => 'activity', (page) => page.getByText('Queue paused').first().waitFor()],
  ['triggers', () => 'triggers', (page) => page.getByRole('link', { name: job.slice(-8) }).waitFor()],
  ['trigger', () => 'triggers/nightly-report', (page) => page.getByText('Next times').waitFor()],
  ['job', () => `tasks/${job}`, (page) => page.getByText('Items', { exact: true }).waitFor()],
  ['limits of values', () => 'queues/rendering', (page) => page.getByRole('row', { name: /^acme 4/ }).waitFor()],
  ['task that waits', () => `tasks/${flow.waiting}`, (page) => page.getByText('approved').first().waitFor()],
  ['task that gathers', () => `tasks/${flow.gathering}`, (page) => page.getByText('Laura').first().waitFor()],
  ['task with needs', () => `tasks/${flow.needing}`, (page) => page.getByText('site = paris').first().waitFor()],
  ['task with a log', () => `tasks/${flow.telling}`, (page) => page.getByText('opens the archive').waitFor()],
  ['holds', () => 'holds', (page) => page.getByText('the rights are being cleared').waitFor()],
  ['workers', () => 'workers', (page) => page.getByText('worker-1').first().waitFor()],
  ['system', () => 'system', (page) => page.getByText("Expected 'attempt' to be a number").waitFor()],
  ['home in the past', () => '?at=1', (page) => page.getByText('as of position 1').waitFor()],
  ['the past', () => 'queues?at=1', (page) => page.getByText('as of position 1').waitFor()],
];

async function openTheHistory(page: Page): Promise<void> {
  await page.getByText('Task failed', { exact: true }).waitFor();
  for (const fold of await page.locator('summary').all()) await fold.click();
}

async function askToRetry(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').waitFor();
}

it.each(PAGES)('D-15 the page "%s" is accessible and fits into its window', async (name, route, whenSeen) => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await goTo(page, route());
  await whenSeen(page);
  await expectAccessible(page, name);
});

describe('the banner of a drain', () => {
  beforeAll(() => service.waybill.system.drain({ reason: 'version 2 is being deployed' }));
  afterAll(() => service.waybill.system.resume());

  it('is accessible and fits into its window', async () => {
    await goTo(page, 'triggers');
    await page.getByText('version 2 is being deployed').waitFor();
    await page.getByRole('link', { name: 'nightly-report' }).waitFor();
    await expectAccessible(page, 'drain');
  });
});

it('no page reports an error besides the task that does not exist', () => {
  expect(browser.complaints().filter((complaint) => !complaint.includes('404'))).toEqual([]);
});
