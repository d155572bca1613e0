import { framesOf } from './frames.mjs';

/** As many tasks as one request takes. */
const SOME = 1_000;
/** How far a frame scrolls, in pixels: a fast turn of the wheel. */
const STEP_PX = 120;
const FRAMES = 600;

/**
 * A list of so many tasks in a browser: how fast it scrolls while it loads, and in its middle once it has loaded; what its frames cost; and what this
 * machine and its browser can do. `still`: the same rows without a script, so that only drawing is left. `empty`: a page of the same height with
 * nothing in it.
 */
export async function measureScroll(browser, waybill, url, rows) {
  await fill(waybill, rows);
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  await page.goto(`${url}tasks?q=queue:long`);
  await page.getByText('The first 100 tasks').waitFor();
  const whileLoading = await scroll(page);
  await loadAll(page, rows);
  const loaded = await scrollFromMiddle(page);
  const work = await framesOf(browser, page, () => scroll(page));
  const inPage = await page.getByRole('row').count();
  const height = await page.evaluate(() => document.body.scrollHeight);
  const rowsAlone = await withoutScripts(page);
  await page.goto('about:blank');
  await page.setContent(rowsAlone);
  const still = await scroll(page);
  await page.setContent(`<div style="height: ${height}px"></div>`);
  const empty = await scrollFromMiddle(page);
  await page.close();
  return { rows, whileLoading, loaded, work, still, empty, inPage };
}

async function scrollFromMiddle(page) {
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
  return scroll(page);
}

async function fill(waybill, rows) {
  const queue = waybill.queue('long');
  await queue.define();
  for (let from = 0; from < rows; from += SOME) {
    const some = Math.min(SOME, rows - from);
    await queue.enqueueMany(Array.from({ length: some }, (_, n) => ({ reference: `task-${from + n}` })));
  }
}

/**
 * Frames a second while the page scrolls on with every frame, the length of the longest frames, in milliseconds, and how many were left out, by the
 * times that the browser gives its frames.
 */
const scroll = (page) =>
  page.evaluate(
    async ([frames, step]) => {
      const next = () => new Promise(requestAnimationFrame);
      const lengths = [];
      let last = await next();
      for (let frame = 0; frame < frames; frame++) {
        scrollBy(0, step);
        const now = await next();
        lengths.push(now - last);
        last = now;
      }
      const sorted = lengths.toSorted((one, other) => one - other);
      const all = lengths.reduce((sum, one) => sum + one, 0);
      const lost = Math.round((all * 60) / 1_000) - frames;
      return {
        perSecond: (frames / all) * 1_000,
        p95: sorted[Math.floor(frames * 0.95)],
        longest: sorted.at(-1),
        lost,
      };
    },
    [FRAMES, STEP_PX],
  );

const loadAll = (page, rows) =>
  page.evaluate(async (most) => {
    const table = document.querySelector('main table[aria-label=Tasks]');
    while (Number(table.getAttribute('aria-rowcount')) <= most) {
      scrollTo(0, document.body.scrollHeight);
      await new Promise(requestAnimationFrame);
    }
  }, rows);

/** The page as it is drawn, with as many rows as pass by, as HTML in which nothing runs. */
const withoutScripts = (page) =>
  page.evaluate((px) => {
    const copy = document.documentElement.cloneNode(true);
    for (const script of copy.querySelectorAll('script, link[rel=modulepreload]')) script.remove();
    const base = document.createElement('base');
    base.href = location.href;
    copy.querySelector('head').prepend(base);
    const [body] = copy.querySelector('main table[aria-label=Tasks]').tBodies;
    const rows = [...body.querySelectorAll('tr[data-index]')].map((row) => row.outerHTML);
    const passing = Math.ceil(px / document.querySelector('tr[data-index]').offsetHeight) + rows.length;
    body.innerHTML = Array.from({ length: passing }, (_, n) => rows[n % rows.length]).join('');
    return copy.outerHTML;
  }, FRAMES * STEP_PX);
