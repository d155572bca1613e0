import { Stopwatch } from '../measure/stopwatch.mjs';
import { costOf } from '../measure/meter.mjs';

/**
 * Tasks per second until all are durable, the same until every follower of the log has read them, and the cost of each
 * task until then. `work` gets the watch and returns how many tasks were done.
 */
export async function measured(system, meter, limit, work) {
  const before = await meter.read();
  const watch = new Stopwatch(limit);
  const done = await work(watch);
  watch.stop();
  const rates = { value: watch.rate(done), ...(await caughtUp(system, watch, done)) };
  return { ...rates, cost: costOf(before, await meter.read(), done) };
}

async function caughtUp(system, watch, done) {
  if (!system.caughtUp) return {};
  await system.caughtUp();
  return { caughtUp: watch.rateUntilNow(done) };
}
