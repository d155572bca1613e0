import { analyze } from '../database/analyze.mjs';
import { Stopwatch } from '../measure/stopwatch.mjs';

/** Hands in all tasks, then works them off; with the best of the system's batch sizes. */
export async function bulkAndDrain(system, { batchesTried, ...size }, places) {
  const rounds = [];
  for (const batch of system.batches.slice(0, batchesTried)) {
    rounds.push({ ...(await fill(system, size)), ...(await drain(system, size, places, batch)) });
  }
  return { bulk: best(rounds.map((round) => round.bulk)), drain: best(rounds.map((round) => round.drain)) };
}

/** The one half: hands in what `drain` works off. */
export async function fill(system, { tasks }) {
  await system.empty();
  const watch = new Stopwatch();
  await system.enqueueMany(tasks);
  watch.stop();
  return { bulk: await rates(system, tasks, watch) };
}

/** The other half, after `fill`: until nothing is left, or the time is over. */
export async function drain(system, { tasks, limitSeconds }, places, batch = system.batches[0]) {
  await analyze(places);
  const watch = new Stopwatch({ limitSeconds });
  const done = await system.drain(tasks, batch, watch);
  watch.stop();
  if (done !== tasks && !watch.isOver) throw new Error(`Expected ${tasks} tasks to be worked off, but ${done} were`);
  return { drain: await rates(system, done, watch) };
}

/** Tasks a second when all are durable, and again when all read models show them, where the system has any. */
export async function rates(system, tasks, watch) {
  const value = watch.rate(tasks);
  if (!system.caughtUp) return { value };
  await system.caughtUp();
  const caughtUp = watch.rateUntilNow(tasks);
  await system.atRest();
  return { value, caughtUp };
}

const best = (results) => results.toSorted((a, b) => b.value - a.value)[0];
