import { median } from '../measure/quantiles.mjs';

/** The median milliseconds of taking one task, with more and more tasks waiting. */
export async function claim(system, { backlogs, claims }) {
  if (!system.claim) return {};
  await system.empty();
  const value = {};
  for (const [at, backlog] of backlogs.entries()) {
    await system.enqueueMany(backlog - (backlogs[at - 1] ?? 0));
    await system.caughtUp?.();
    value[backlog] = median(await timesOf(system, claims));
  }
  return { claim: { value } };
}

async function timesOf(system, claims) {
  const times = [];
  for (let at = 0; at < claims; at++) {
    const start = performance.now();
    await system.claim();
    times.push(performance.now() - start);
  }
  return times;
}
