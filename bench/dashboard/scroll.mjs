/** As many tasks as one request takes. */
const SOME = 1_000;
/** How far a frame scrolls, in pixels: a fast turn of the wheel. */
const STEP_PX = 120;
const FRAMES = 600;

/**
 * A list of so many tasks in a browser: how fast it scrolls while it loads, and in its middle once it has loaded. `empty`: how fast a page of the
 * same height scrolls that has nothing in it, which is what this machine and its browser can do.
 */
export async function measureScroll(browser, waybill, url, rows) {
  await fill(waybill, rows);
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  await page.goto(`${url}tasks?q=queue:long`);
  await page.getByText('The first 100 tasks').waitFor();
  const whileLoading = await scroll(page);
  await loadAll(page, rows);
  const loaded = await scrollFromMiddle(page);
  const inPage = await page.getByRole('row').count();
  const height = await page.evaluate(() => document.body.scrollHeight);
  await page.goto('about:blank');
  await page.setContent(`<div style="height: ${height}px"></div>`);
  const empty = await scrollFromMiddle(page);
  await page.close();
  return { rows, whileLoading, loaded, empty, inPage };
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

/** Frames a second, and the length of the longest frames, in milliseconds, while the page scrolls on with every frame. */
const scroll = (page) =>
  page.evaluate(
    async ([frames, step]) => {
      const lengths = [];
      let last = performance.now();
      for (let frame = 0; frame < frames; frame++) {
        scrollBy(0, step);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        lengths.push(now - last);
        last = now;
      }
      const sorted = lengths.toSorted((one, other) => one - other);
      const all = lengths.reduce((sum, one) => sum + one, 0);
      return { perSecond: (frames / all) * 1_000, p95: sorted[Math.floor(frames * 0.95)], longest: sorted.at(-1) };
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
