import axe from 'axe-core';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { sizeOf } from '../support/sizes.js';
import { COUNTED } from './whole-page.js';

/** How a person looks at a page. */
interface Viewing {
  readonly colorScheme: 'light' | 'dark';
  /** Of the window, in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

const [NARROW, WIDE] = [320, 1_280];
/** On a busy machine, pages take their time. */
const PATIENCE_MS = 120_000;
const HEIGHT = 800;

/** The ways in which every page is looked at. The first two show each theme and each width once. */
const VIEWINGS: [string, Omit<Viewing, 'height'>][] = [
  ['light, wide', { colorScheme: 'light', width: WIDE }],
  ['dark, narrow', { colorScheme: 'dark', width: NARROW }],
  ['light, narrow', { colorScheme: 'light', width: NARROW }],
  ['dark, wide', { colorScheme: 'dark', width: WIDE }],
];

/** A browser whose pages belong to the dashboard of one service. */
export interface DashboardBrowser {
  /** Opens a page by its route, such as `tasks?q=queue:mail`, in a window of its own. */
  open(route: string, viewing?: Partial<Viewing>): Promise<Page>;

  /** What pages have reported since the last call: errors of scripts, and what the content security policy refused. */
  complaints(): string[];

  close(): Promise<void>;
}

export async function startBrowser(serviceUrl: string): Promise<DashboardBrowser> {
  const browser = await chromium.connect(process.env.CHROMIUM_URL!);
  const person = await newPerson(browser);
  const complaints: string[] = [];
  return {
    open: (route, viewing) => open(person, `${serviceUrl}/dashboard/#/${route}`, viewing, complaints),
    complaints: () => complaints.splice(0),
    close: () => browser.close(),
  };
}

/** Whose windows find what earlier ones have loaded and compiled: the first one stays open, and so does the process that has done so. */
async function newPerson(browser: Browser): Promise<BrowserContext> {
  const person = await browser.newContext();
  await person.newPage();
  return person;
}

async function open(
  person: BrowserContext,
  url: string,
  { colorScheme = 'light', width = WIDE, height = HEIGHT }: Partial<Viewing> = {},
  complaints: string[],
): Promise<Page> {
  const page = await person.newPage();
  await forget(page, new URL(url).origin);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const { url } = message.location();
    // A browser asks the host for this where no page of the dashboard is open, at any time.
    if (message.type() === 'error' && !url.endsWith('/favicon.ico')) complaints.push(`${message.text()} at ${url}`);
  });
  await page.addInitScript({ content: COUNTED });
  await page.goto(url);
  return page;
}

/**
 * Goes to another page in an open window, which keeps what it has loaded and compiled: to open one for a page costs more than to look at
 * it. It goes by way of an address that does not exist, so that nothing of the page before is taken for the next one.
 */
export async function goTo(page: Page, route: string): Promise<void> {
  const go = (to: string) => page.evaluate(`location.hash = ${JSON.stringify(`#/${to}`)}`);
  await go('nowhere');
  await page.getByText('There is no such page').waitFor();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await go(route);
}

/** Removes what earlier windows have stored, such as the name of the person and the views of a list. */
async function forget(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'cookies,local_storage' });
  await session.detach();
}

/** The rules of axe that look at colours. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Not among its usual ones: targets of 24 pixels, as WCAG 2.2 AA asks for. */
const ALL = { rules: { 'target-size': { enabled: true } } };

/** What axe finds on the page, one text each; by these rules, or by all. */
export async function inaccessible(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = JSON.stringify(rules ? { runOnly: rules } : ALL);
  // Not with a script element, which the content security policy of the dashboard refuses.
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => [id, target.join(' '), failureSummary].join('\\n'))))`);
}

/** A chart draws itself anew within so many frames after its window has changed. */
const FRAMES = 10;

/**
 * How many CSS pixels of the page are beyond the right edge of its window. What is in a region that scrolls does not count;
 * a dialog does, although the page does not scroll for it.
 */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const scrolls = (element) => element !== document.body && element !== document.documentElement &&
      ((element.tagName !== 'DIALOG' && ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)) || (element.parentElement !== null && scrolls(element.parentElement)));
    const beyond = () => Math.max(0, ...[...document.querySelectorAll('body *')]
      .filter(({ parentElement }) => !scrolls(parentElement))
      .map((element) => Math.round(element.getBoundingClientRect().right) - document.documentElement.clientWidth));
    for (let frame = 0; frame < ${FRAMES} && beyond() > 0; frame++) await new Promise(requestAnimationFrame);
    return beyond();
  })()`);

/**
 * Expects that axe finds nothing on the page and that it fits into its window, however a person looks at it. Nothing in the page
 * depends on how it was looked at when it was loaded. In the dark, only its colours are others: all rules take four times as long as those of
 * colours. `inTheDark`: the rules there; the gate has the kit's page for them, which has every component.
 */
export async function expectAccessible(
  page: Page,
  name: string,
  inTheDark: readonly string[] = sizeOf(OF_COLOURS, []),
): Promise<void> {
  for (const [look, { colorScheme, width }] of VIEWINGS.slice(0, sizeOf(VIEWINGS.length, 2))) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: HEIGHT });
    await picture(page, `${name} ${look}`);
    const rules = colorScheme === 'dark' ? inTheDark : undefined;
    const found = rules?.length === 0 ? [] : await inaccessible(page, rules);
    expect([look, found, await overhang(page)]).toEqual([look, [], 0]);
  }
}

/** With SCREENSHOTS, keeps a picture of the page in this folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
