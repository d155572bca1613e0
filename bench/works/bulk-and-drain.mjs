import { analyze } from '../database/maintenance.mjs';
import { emptied } from './emptied.mjs';
import { measured } from './measured.mjs';

/**
 * Enqueues all tasks and then completes them, several times, with each of the system's batch sizes. The best result of
 * each counts.
 */
export async function bulkAndDrain(system, { fills, ...size }, places) {
  const rounds = [];
  for (let at = 0; at < fills; at++) {
    const batch = system.batches[at % system.batches.length];
    rounds.push({ ...(await fill(system, size, places)), ...(await drain(system, size, places, batch)) });
  }
  return { bulk: best(rounds.map((round) => round.bulk)), drain: best(rounds.map((round) => round.drain)) };
}

/** The first half: enqueues the tasks that `drain` completes. */
export async function fill(system, { tasks }, places) {
  await emptied(system, places);
  const bulk = await measured(system, places.meter, {}, async () => {
    await system.enqueueMany(tasks);
    return tasks;
  });
  return { bulk };
}

/** The second half, after `fill`: until no task is left or the time is over. */
export async function drain(system, { tasks, limitSeconds }, places, batch = system.batches[0]) {
  await analyze(places);
  const drained = await measured(system, places.meter, { limitSeconds }, async (watch) => {
    const done = await system.drain(tasks, batch, watch);
    if (done !== tasks && !watch.isOver) throw new Error(`Expected ${tasks} tasks to be worked off, but ${done} were`);
    return done;
  });
  return { drain: drained };
}

/** Takes the best rate of each clock. The cost is that of the fastest run. */
function best(results) {
  const [fastest] = results.toSorted((a, b) => b.value - a.value);
  if (fastest.caughtUp === undefined) return fastest;
  return { ...fastest, caughtUp: Math.max(...results.map(({ caughtUp }) => caughtUp)) };
}
