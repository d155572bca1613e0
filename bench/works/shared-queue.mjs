import { inLanes } from '../measure/lanes.mjs';
import { PAYLOAD } from '../measure/payload.mjs';

const ENQUEUED_AT_ONCE = 500;
/** So few that each caller claims often enough for a p99. */
const CLAIMED_AT_ONCE = 50;
/** Every fourth batch comes before the others. */
const PRIORITIES = [5, 0, 0, 0];

/**
 * Enqueues a share of a queue's tasks, beside other processes that enqueue the rest. `keys`: the number of keys that
 * the tasks share; none if 0.
 */
export async function sharedFill(system, { queue, policy, batches, keys, callers }) {
  await system.use(queue, policy);
  await inLanes(callers, batches.length, (at) => system.enqueueBatch(batchOf(batches[at], keys)));
}

function batchOf({ index, size }, keys) {
  const priority = PRIORITIES[index % PRIORITIES.length];
  return Array.from({ length: size }, (_, at) => ({
    payload: PAYLOAD,
    priority,
    ...(keys > 0 && { key: `key-${(index * ENQUEUED_AT_ONCE + at) % keys}` }),
  }));
}

/**
 * Completes tasks of the queue beside other processes. Returns the milliseconds that each claim waited for its tasks,
 * and how many tasks have succeeded.
 */
export async function sharedDrain(system, { callers }) {
  const waits = [];
  let done = 0;
  await inLanes(callers, callers, async () => {
    for (let claimed; (claimed = await timedClaim(system)).tasks.length > 0;) {
      waits.push(claimed.wait);
      const settled = await system.settle(claimed.tasks);
      done += settled;
    }
  });
  return { waits, done };
}

async function timedClaim(system) {
  const start = performance.now();
  const tasks = await system.claimBatch(CLAIMED_AT_ONCE);
  return { tasks, wait: performance.now() - start };
}

/** All batches of this many tasks, distributed over this many processes. */
export function dealtBatches(tasks, processes) {
  const count = Math.ceil(tasks / ENQUEUED_AT_ONCE);
  const batches = Array.from({ length: count }, (_, index) => ({
    index,
    size: Math.min(ENQUEUED_AT_ONCE, tasks - index * ENQUEUED_AT_ONCE),
  }));
  return Array.from({ length: processes }, (_, at) => batches.filter(({ index }) => index % processes === at));
}
