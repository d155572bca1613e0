import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { until } from '../support/until.js';
import { expectAccessible, inaccessible, OF_COLOURS, picture } from './chromium.js';

const ROOT = join(__dirname, '../..');
const COMPONENTS = join(ROOT, 'packages/dashboard/src/ui');
/** What bundles is no module of the tests. */
const BUILD = `import { bundleKit } from './scripts/dashboard.mjs'; await bundleKit(process.argv.at(-1));`;
/** The page is no part of a service: its requests are answered from the folder. */
const KIT = 'http://kit.example/';

let folder: string;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-kit-'));
  execFileSync(process.execPath, ['--input-type=module', '--eval', BUILD, folder], { cwd: ROOT });
  browser = await chromium.connect(process.env.CHROMIUM_URL!);
  page = await browser.newPage();
  await page.route(`${KIT}**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname) });
  });
  await page.goto(KIT);
  await page.locator('.uplot canvas').waitFor();
});
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

it('shows every component', async () => {
  const files = (await readdir(COMPONENTS)).filter((name) => name.endsWith('.tsx'));
  const told = await page
    .locator('[data-story]')
    .evaluateAll((stories) => stories.flatMap((story) => story.getAttribute('data-story')!.split(' ').filter(Boolean)));
  expect(told.toSorted()).toEqual(files.map((name) => name.replace('.tsx', '')).toSorted());
});

it('is accessible and fits, light and dark, narrow and wide', () => expectAccessible(page, 'kit', OF_COLOURS));

it('says what a row cuts whole when it is pointed at, and no column in which no row says anything', async () => {
  await page.setViewportSize({ width: 1_000, height: 900 });
  const table = page.getByRole('table', { name: 'Queues' });
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Queue', 'State', 'Why', 'Failed']);
  const [cut, short] = [table.getByText('The provider moves'), table.getByRole('cell', { name: 'paused' })];
  await cut.hover();
  expect(await until('the whole text', () => cut.getAttribute('title'))).toBe(await cut.innerText());
  await short.hover();
  expect(await until('a look at the text', () => short.getAttribute('title'))).toBe('');
});

it('asks in a dialog that Escape closes, and gives the focus back', async () => {
  const opens = page.getByRole('button', { name: 'Open the dialog' });
  await opens.click();
  await page.getByRole('dialog').getByLabel('Reason, for the history').waitFor();
  await picture(page, 'kit dialog');
  expect(await inaccessible(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Open the dialog');
});

it('opens a menu of what is seldom done, and closes it by Escape', async () => {
  await page.getByRole('button', { name: 'More' }).press('Enter');
  await page.getByRole('button', { name: 'Abort' }).waitFor();
  expect(await inaccessible(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Abort' }).waitFor({ state: 'hidden' });
  expect(await page.getByRole('button', { name: 'Abort' }).count()).toBe(0);
});

it('draws a chart in the colours of the theme that is shown', async () => {
  const drawn = (): Promise<string> => page.evaluate(`document.querySelector('.uplot canvas').toDataURL()`);
  await page.emulateMedia({ colorScheme: 'light' });
  // It was dark before, and is drawn anew in the next frame.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const light = await drawn();
  await page.emulateMedia({ colorScheme: 'dark' });
  await until('a chart in other colours', async () => ((await drawn()) === light ? null : true));
});

it.each([1_440, 390])(
  'D-10 draws a timeline on a linear, labelled axis, and folds a long wait that says how long it is, at %d px',
  async (width) => {
    await page.setViewportSize({ width, height: 900 });
    const timeline = page.getByRole('figure', { name: /^Timeline/ });
    const [first, night, second] = await timeline.locator('[title]').all();
    const box = async (of: typeof first) => (await of!.boundingBox())!;
    const [short, fold, long, whole] = [await box(first), await box(night), await box(second), await box(timeline)];
    expect(long.width / short.width).toBeCloseTo(143 / 16, 1);
    expect(fold.width).toBeLessThan(whole.width / 10);
    await timeline.getByRole('listitem').filter({ hasText: 'waited 8 h' }).filter({ hasText: 'folded' }).waitFor();
    expect(await night!.getByText('8 h').isVisible()).toBe(width > 1_000);
    const labels = timeline.locator('[data-ms]');
    const marks = await Promise.all(
      (await labels.all()).map(async (mark) => [
        Number(await mark.getAttribute('data-ms')),
        (await mark.boundingBox())!.x,
      ]),
    );
    expect(marks.map(([ms]) => ms)).toEqual([0, 50, 100, 150]);
    expect(await labels.allInnerTexts()).toEqual(['0', '50 ms', '100 ms', '']);
    const msPerPx = 143 / long.width;
    expect((marks[2]![1]! - marks[1]![1]!) * msPerPx).toBeCloseTo(50, 0);
    await page.setViewportSize({ width: 1_280, height: 900 });
  },
);
