/** What the browser records: tasks of its threads, frames, and collections of V8. */
const CATEGORIES = [
  'toplevel',
  'devtools.timeline',
  'devtools.timeline.frame',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'cc',
  'benchmark',
  'v8',
];

/** As long as a frame lasts, in milliseconds. */
const FRAME_MS = 1_000 / 60;

/**
 * What the frames of a page cost while `run` lasts, by a trace of the browser: the processor time of its main thread between the beginnings of two
 * frames, and of how many that was longer than a frame lasts. It does not depend on what else the machine does, as frames a second do.
 */
export async function framesOf(browser, page, run) {
  const costs = costsOf(await traceOf(browser, page, run));
  const sorted = costs.toSorted((one, other) => one - other);
  return {
    frames: costs.length,
    mean: costs.reduce((sum, one) => sum + one, 0) / costs.length,
    p95: sorted[Math.floor(costs.length * 0.95)],
    longest: sorted.at(-1),
    tooLong: costs.filter((one) => one > FRAME_MS).length,
  };
}

/** The events of a trace of the browser. */
export async function traceOf(browser, page, run) {
  await browser.startTracing(page, { categories: CATEGORIES });
  await run();
  return JSON.parse(await browser.stopTracing()).traceEvents;
}

/** Of each frame of the busiest page, the milliseconds of a processor. */
export function costsOf(events) {
  const begins = events.filter(({ name }) => name === 'BeginMainThreadFrame');
  const thread = busiest(begins);
  const tasks = events.filter((event) => event.name === 'RunTask' && threadOf(event) === thread && event.tdur);
  const starts = begins
    .filter((event) => threadOf(event) === thread)
    .map(({ ts }) => ts)
    .toSorted((one, other) => one - other);
  const costs = new Array(starts.length - 1).fill(0);
  for (const { ts, dur, tdur } of tasks) {
    const at = starts.findLastIndex((start) => start <= ts + dur);
    if (at >= 0 && at < costs.length) costs[at] += tdur / 1_000;
  }
  return costs;
}

const threadOf = ({ pid, tid }) => `${pid}/${tid}`;

function busiest(events) {
  const counts = new Map();
  for (const event of events) counts.set(threadOf(event), (counts.get(threadOf(event)) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0][0];
}
