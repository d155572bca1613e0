import type { Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, startBrowser } from './chromium.js';

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

const UNKNOWN = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

/** Until the page has looked at the system so often, which it does every three seconds whatever it shows. */
const [LOOKS, LOOK_MS] = [2, 3_000];

/** What every page asks for, and the page on which the reader begins. */
const OTHERS = ['/v1/changes/stream', '/v1/system', '/v1/queues', '/v1/queue-stats', '/v1/failures'];

async function requestsOf(route: string): Promise<string[]> {
  const page = await browser.open('queues');
  await page.getByText('There is no queue yet').waitFor();
  // Nobody tells the page what changes, so it asks by itself.
  await page.route('**/v1/changes/stream', (route) => route.abort());
  await page.reload();
  await page.getByText('There is no queue yet').waitFor();
  // Its time passes only as the test says.
  await page.clock.install();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.evaluate(`location.hash = '#/${route}'`);
  await page.getByRole('alert').first().waitFor();
  for (let looks = 0; looks < LOOKS; looks++) {
    const answer = systemAnswer(page);
    await page.clock.runFor(LOOK_MS);
    await answer;
  }
  await page.close();
  return requests.filter((path) => path.startsWith('/v1/') && !OTHERS.includes(path));
}

const systemAnswer = (page: Page) => page.waitForResponse((answer) => answer.url().endsWith('/v1/system'));

describe('what does not exist', () => {
  it.each([
    ['tasks/nonsense', '/v1/tasks/nonsense'],
    [`tasks/${UNKNOWN}`, `/v1/tasks/${UNKNOWN}`],
    [`tasks/${UNKNOWN}/graph`, `/v1/tasks/${UNKNOWN}/graph`],
    ['queues/nonsense', '/v1/queues/nonsense'],
    ['batches/nonsense', '/v1/batches/nonsense'],
    [`batches/${UNKNOWN}/graph`, `/v1/batches/${UNKNOWN}/graph`],
    ['failures/nonsense', '/v1/failures/nonsense'],
    ['tasks/nonsense/graph', '/v1/tasks/nonsense/graph'],
    ['batches/nonsense/graph', '/v1/batches/nonsense/graph'],
    [`batches/${UNKNOWN}`, `/v1/batches/${UNKNOWN}`],
    ['operations/nonsense', '/v1/operations/nonsense'],
    ['triggers/nonsense', '/v1/triggers/nonsense'],
    [`queues/${UNKNOWN}`, `/v1/queues/${UNKNOWN}`],
    ['queues/nonsense?range=1h', '/v1/queues/nonsense'],
    ['tasks/a%20b%2F..%2Fc', '/v1/tasks/a%20b%2F..%2Fc'],
  ])('is asked for once: %s', async (route, path) => {
    expect(await requestsOf(route)).toEqual([path]);
  });
});
