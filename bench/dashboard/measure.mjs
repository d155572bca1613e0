import { createWaybill } from '@waybill/client';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { median } from '../measure/quantiles.mjs';
import { startService } from '../systems/waybill-service.mjs';
import { measureScroll } from './scroll.mjs';

const QUEUES = 50;
const PAGES = ['', 'queues', 'tasks', 'queues/queue-1', 'failures', 'activity', 'system'];
const WINDOW_MS = 10_000;
/** What comes late, such as the courses of queues; the feed of changes never ends. */
const SETTLES_MS = 2_000;

/** Home, again and again in browsers that know nothing of it; then pages of which nothing changes, and a long list. Calls `say` after every part. */
export async function measureDashboard(databaseUrl, { loads, idleSeconds, rows }, say) {
  const service = await startService(databaseUrl);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const dashboard = `${service.url}/dashboard/#/`;
    const waybill = createWaybill({ url: service.url, actor: 'bench' });
    await fill(waybill);
    await load(browser, dashboard);
    const times = [];
    for (let at = 0; at < loads; at++) times.push(await load(browser, dashboard));
    const paints = times.map(({ paint }) => paint);
    const home = {
      paint: median(paints),
      longestPaint: Math.max(...paints),
      said: median(times.map((one) => one.said)),
    };
    Object.assign(home, await sizes(browser, dashboard));
    say(JSON.stringify(home));
    await recordedAsUnattended(waybill);
    const idle = await Promise.all(PAGES.map((page) => idling(browser, dashboard + page, idleSeconds * 1_000)));
    say(JSON.stringify(idle));
    return { home, idle, scroll: await measureScroll(browser, waybill, dashboard, rows) };
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Fifty queues, each with a task that waits. */
async function fill(waybill) {
  for (let n = 1; n <= QUEUES; n++) {
    await waybill.queue(`queue-${n}`).define();
    await waybill.queue(`queue-${n}`).enqueue({ n });
  }
}

/** Waits until the service has recorded of each queue that nobody serves it. It does so a minute after the tasks have come, and pages are told. */
async function recordedAsUnattended(waybill) {
  const signal = AbortSignal.timeout(300_000);
  let left = QUEUES;
  for await (const _ of waybill.events({ type: 'QueueUnattended', follow: true, signal })) if (--left === 0) return;
  throw new Error(`Expected ${QUEUES} unattended queues within five minutes, but ${left} are not`);
}

/** The milliseconds to the first paint, and until Home says what is wrong. */
async function load(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  await page.goto(url);
  await page.getByText(/All is well|needs? somebody/).waitFor();
  const said = await page.evaluate(() => performance.now());
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  await page.close();
  return { paint, said };
}

/** What the first load of Home is made of, in bytes. */
async function sizes(browser, url) {
  const page = await browser.newPage();
  const answers = [];
  page.on('response', (answer) => answers.push(answer));
  await page.goto(url);
  await page.getByText(/All is well|needs? somebody/).waitFor();
  await page.waitForTimeout(SETTLES_MS);
  const bytes = async (of, size) => {
    const bodies = await Promise.all(
      answers.filter((answer) => of.test(new URL(answer.url()).pathname)).map((answer) => answer.body()),
    );
    return bodies.reduce((sum, body) => sum + size(body), 0);
  };
  const found = {
    gzip: await bytes(/\/dashboard\/([^.]*|.*\.(js|css))$/, (body) => gzipSync(body).length),
    fonts: await bytes(/\.woff2$/, (body) => body.length),
  };
  await page.close();
  return found;
}

/** What a page receives once it has all that it shows and nothing happens: in the worst ten seconds, and on average. */
async function idling(browser, url, ms) {
  const page = await browser.newPage();
  await page.goto(url);
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const received = [];
  const asked = [];
  network.on('Network.requestWillBeSent', () => asked.push(performance.now()));
  const add = (bytes) => received.push({ at: performance.now(), bytes });
  network.on('Network.responseReceived', ({ response }) => add(response.encodedDataLength));
  network.on('Network.dataReceived', ({ encodedDataLength }) => add(encodedDataLength));
  for (let before = -1; before !== received.length;) {
    before = received.length;
    await page.waitForTimeout(WINDOW_MS);
  }
  received.length = asked.length = 0;
  await page.waitForTimeout(ms);
  await page.close();
  const isIn = (begin) => (at) => at >= begin && at < begin + WINDOW_MS;
  const from = (begin) => sum(received.filter(({ at }) => isIn(begin)(at)));
  return {
    page: url.split('#')[1],
    worst: Math.max(0, ...received.map(({ at }) => from(at))),
    mean: (sum(received) * WINDOW_MS) / ms,
    mostAsked: Math.max(0, ...asked.map((at) => asked.filter(isIn(at)).length)),
  };
}

const sum = (some) => some.reduce((all, { bytes }) => all + bytes, 0);
