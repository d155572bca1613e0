import { Stopwatch } from '../measure/stopwatch.mjs';
import { costOf } from '../measure/meter.mjs';

/**
 * Tasks a second until all are durable; the same until everything that follows the log has them, where there is one; and what each of them cost
 * until then. `work` is given the watch and answers how many tasks were done.
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
