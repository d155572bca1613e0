import { type RunningService, startService } from '../../support/running-service.js';
import { type DashboardBrowser, expectAccessible, startBrowser } from '../chromium.js';
import { type Incident, incident } from './scenes.js';

let service: RunningService;
let browser: DashboardBrowser;
let scene: Incident;
let group: string;
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser(service.url, 'dashboard/next');
  scene = await incident(service.waybill);
  for await (const { id } of service.waybill.failures.list()) group = id;
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Each page with what it shows once it is loaded. */
const PAGES: readonly (readonly [name: string, route: () => string, shows: RegExp])[] = [
  ['home', () => '', /things need somebody/],
  ['queues', () => 'queues', /1 queue/],
  ['queue', () => `queues/${scene.queue}`, /What fails/],
  ['tasks', () => 'tasks', /The first 100 tasks/],
  ['task', () => `tasks/${scene.failed}`, /It failed/],
  ['failures', () => 'failures', /3 groups/],
  ['failure', () => `failures/${group}`, /What changed before it began/],
  ['batches', () => 'batches', /There is no batch yet/],
  ['operations', () => 'operations', /Nobody has given/],
  ['activity', () => 'activity', /1 command/],
  ['triggers', () => 'triggers', /There is no trigger yet/],
  ['holds', () => 'holds', /No hold is placed/],
  ['workers', () => 'workers', /worker-1/],
  ['system', () => 'system', /Read models and reactions/],
  ['the past', () => 'queues?at=1', /as of position 1/],
];

describe.each(PAGES)('the page %s', (name, route, shows) => {
  it('is accessible and fits, in both themes, on a wide screen and a phone', async () => {
    const page = await browser.open(route());
    await page.getByText(shows).first().waitFor();
    await expectAccessible(page, `next ${name}`);
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });
});
