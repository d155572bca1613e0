import { type RunningService, startService } from '../support/running-service.js';
import { sizeOf } from '../support/sizes.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, expectAccessible, picture, startBrowser } from './chromium.js';
import { type Story, tellStory } from './story.js';
import { type WholePage, wholePage } from './whole-page.js';

/** How long something lasts that goes on, which the page says as of its moment. */
const LENGTH = /^\d[\d.]* (ms|s|min)$/;

/**
 * The pages, by what the story calls their things, and the lines of each that no event records, or that are about commands. Small,
 * the first stands for all (ADR 182).
 */
const PAGES: [route: string, unknown?: RegExp][] = [
  ['', LENGTH],
  // What the last minute had is 0 on a page of now that is looked at in the next one.
  ['queues/mail', /^(1|Longest wait|Last claim|(enqueued|succeeded|failed|business) \d+)$/],
  ['tasks?q=queue:mail state:held,pending'],
  ['tasks/FAILED', /^It can be /],
  // How many are failed with it now, no event says; its minutes end where the page stands, which is a minute later now and then.
  ['failures/GROUP', /( task ever, |:00\.000Z$)/],
  ['batches/BATCH'],
  ['activity'],
  ['queues', LENGTH],
  ['queues/mail?tab=policy', /^Actions$/],
  ['queues/mail?tab=history'],
  ['tasks'],
  [
    'tasks/RUNNING',
    /^(worker-1 has run it for |attempt 1 by worker-1, |Progress of |about .* left at this pace$|pages$|pictures$|\d+ of \d+$|Last heartbeat$)/,
  ],
  ['tasks/FAILED/graph'],
  ['failures', /^1$/],
  ['batches'],
  ['batches/BATCH/graph'],
  ['triggers'],
  ['triggers/nightly-report'],
  ['holds', /^(Actions|\d+)$/],
  ['workers'],
];
const LOOKED_AT = PAGES.slice(0, sizeOf(PAGES.length, 1));

let service: RunningService;
let browser: DashboardBrowser;
let story: Story;
let moment: string;
/** A later moment, at which the system drained. */
let drained: string;
/** The ids behind the names in the routes. */
let named: Readonly<Record<string, string>>;
/** What each of the pages showed at the moment. */
const then: WholePage['lines'][] = [];
beforeAll(async () => {
  service = await startService();
  const { waybill } = service;
  story = await tellStory(waybill);
  const nightly = { cron: '30 2 * * 1-5', timeZone: 'Europe/Berlin', task: { queue: 'mail' } };
  await waybill.trigger('nightly-report').define(nightly);
  await waybill.holds.place('maps', { collection: 'maps' }, { reason: 'the rights are being cleared' });
  const batch = await openBatch();
  ({ position: moment } = await waybill.queue('mail').pause({ reason: 'lunch' }));
  const { value: group } = await waybill.failures.list({ state: 'open' }).next();
  named = { FAILED: story.failed, RUNNING: story.running, BATCH: batch, GROUP: group.id };
  browser = await startBrowser(service.url);
  for (const [route] of LOOKED_AT) then.push((await opened(addressOf(route))).lines);
  await changeEverything();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

async function openBatch(): Promise<string> {
  const batch = await service.waybill.createBatch({ name: 'night' });
  for (const reference of ['first', 'second'])
    await service.waybill.queue('mail').enqueue({}, { batch: batch.id, reference });
  await until('the batch to show its tasks', async () => ((await batch.get()).total === 2 ? true : null));
  await batch.open(2);
  return batch.id;
}

const addressOf = (route: string): string => route.replaceAll(/[A-Z]{5,}/g, (name) => named[name]!);

/** What a page shows to somebody who has opened nothing before. */
async function opened(address: string, name?: string): Promise<WholePage> {
  const page = await browser.open(address, { width: 1_440 });
  const shown = await wholePage(page);
  if (name !== undefined) await picture(page, `past, ${name.replaceAll(/\W+/g, ' ')}`);
  await page.close();
  return shown;
}

async function changeEverything(): Promise<void> {
  const { waybill } = service;
  await waybill.queue('thumbnails').resume();
  await waybill.queue('mail').resume({ reason: 'after lunch' });
  const { policyVersion } = await waybill.queue('mail').get();
  await waybill.queue('mail').changePolicy({ leaseMs: 60_000 }, { ifVersion: policyVersion });
  await waybill.queue('afterwards').define();
  const { id: LATEST } = await waybill.queue('mail').enqueue({ to: 'bob' }, { reference: 'afterwards' });
  const { id: LATER } = await waybill.createBatch({ name: 'afterwards' });
  named = { ...named, LATEST, LATER };
  await waybill.trigger('afterwards').define({ cron: '0 4 * * *', timeZone: 'UTC', task: { queue: 'mail' } });
  ({ position: drained } = await waybill.system.drain({ reason: 'a deployment' }));
  await waybill.system.resume();
  await waybill.task(story.failed).retry({ reason: 'the address is known' });
  await waybill.task(story.running).abort();
  await waybill.batch(named.BATCH!).abort();
  await waybill.trigger('nightly-report').disable();
  for await (const { id } of waybill.tasks.list({ state: 'held' })) await waybill.task(id).release();
  for await (const { id } of waybill.failures.list({ state: 'open' })) await waybill.failures.resolve(id);
  await waybill.holds.lift('maps');
  await waybill.holds.place('scans', { type: 'scan' });
}

const at = (route: string, of = moment): string => `${route}${route.includes('?') ? '&' : '?'}at=${of}`;

/** What changes nothing of the service. */
const HARMLESS =
  /^(|Search|Search tasks|Show|Show all of it|Zoom in|Zoom out|History.*|Copy.*|More|Keep as a view|Compare with .*|\d+ new|Find a queue|Who|Queue|Since)$/;

/** No event records how far a task is; which commands there are is of now, and what is folded depends on what still goes on. */
const withoutProgress = (line: string): string => line.replace(/ \d+ %$|: abort$| \(folded\)$/, '');

/** Times and lengths of what the log does not record stand beside their names; a dash stands for a length that it does not tell. */
const isKnown = (line: string, unknown?: RegExp): boolean =>
  !unknown?.test(line) && line !== '–' && !LENGTH.test(line) && !/^\d{4}-\d\d-\d\dT/.test(line);

describe('a page at a past moment', () => {
  it.each(LOOKED_AT.map(([route, unknown], n) => [route, unknown, n] as const))(
    'D-09 shows in a new browser what "%s" showed then, and offers no command',
    async (route, unknown, n) => {
      const { lines, controls } = await opened(at(addressOf(route)), route);
      const facts = (of: readonly string[]) => of.map(withoutProgress).filter((line) => isKnown(line, unknown));
      expect(facts(lines)).toEqual(facts(then[n]!));
      expect(controls.filter((name) => !HARMLESS.test(name))).toEqual([]);
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

  it.each([
    ['system', 'No event records who leads'],
    ['operations', 'what has become of the tasks since'],
    ['operations/RUNNING', 'what has become of the tasks since'],
  ])('D-09 says why it cannot be shown: "%s"', async (route, why) => {
    const { lines, controls } = await opened(at(addressOf(route)), `none ${route}`);
    expect(lines).toContain('The log does not know this of the past');
    expect(lines.join('\n')).toContain(why);
    expect(controls).toEqual([]);
    expect(browser.complaints()).toEqual([]);
  });

  it.each(['queues/afterwards', 'batches/LATER', 'tasks/LATEST', 'triggers/afterwards'])(
    'D-09 says since when there is "%s", and leads there',
    async (route) => {
      const page = await browser.open(at(addressOf(route)), { width: 1_440 });
      await page.getByText('It exists since').getByRole('link').click();
      await page.getByText('It exists since').waitFor({ state: 'detached' });
      expect((await wholePage(page)).lines.join('\n')).toContain('afterwards');
      await page.close();
      browser.complaints();
    },
  );

  it('D-09 says on every page that the system drained then', async () => {
    const page = await browser.open(at('workers', drained), { width: 1_440 });
    await page.getByRole('region', { name: 'Drain' }).getByText('drains the system: a deployment').waitFor();
    expect(await page.getByRole('region', { name: 'Drain' }).getByRole('button').count()).toBe(0);
    await picture(page, 'past, drained');
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });
});

it('says of a time before the log when it begins, and leads there', async () => {
  const page = await browser.open(at('queues', '2020-01-01T03:12:00.000Z'), { width: 1_440 });
  await page.getByRole('heading', { name: 'The log had not begun then' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByText('It begins at').getByRole('link').click();
  await page.getByRole('heading', { name: 'Queues', exact: true }).first().waitFor();
  expect(decodeURIComponent(page.url())).toMatch(/at="?[0-9]+"?/);
  await page.close();
  browser.complaints();
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
    const strip = page.getByRole('group', { name: 'Go through the past' });
    await strip.getByRole('img', { name: /^The last 1h: \d+ succeeded, [1-9]\d* failed$/ }).waitFor();
    const before = page.url();
    await page.getByLabel('Moment', { exact: true }).press('ArrowLeft');
    await page.waitForURL((url) => url.href !== before && url.href.includes('at='));
    expect(page.url()).toContain('span=1h');
    await page.close();
    browser.complaints();
  });
});
