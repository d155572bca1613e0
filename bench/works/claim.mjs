import { analyze } from '../database/maintenance.mjs';
import { median } from '../measure/quantiles.mjs';
import { Stopwatch } from '../measure/stopwatch.mjs';
import { emptied } from './emptied.mjs';

/** The limit for each size of the backlog. */
const LIMIT = { limitSeconds: 10 };

/** The median milliseconds of claiming one task, with more and more tasks waiting. */
export async function claim(system, { backlogs, claims }, places) {
  if (!system.claim) return {};
  await emptied(system, places);
  const value = {};
  for (const [at, backlog] of backlogs.entries()) {
    await system.enqueueMany(backlog - (backlogs[at - 1] ?? 0));
    await system.caughtUp?.();
    await analyze(places);
    value[backlog] = median(await timesOf(system, claims));
  }
  return { claim: { value } };
}

async function timesOf(system, claims) {
  const times = [];
  for (const watch = new Stopwatch(LIMIT); times.length < claims && !watch.isOver;) {
    const start = performance.now();
    await system.claim();
    times.push(performance.now() - start);
  }
  return times;
}
