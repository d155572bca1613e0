import { analyze } from '../database/maintenance.mjs';
import { Stopwatch } from '../measure/stopwatch.mjs';
import { dealtBatches } from '../works/shared-queue.mjs';
import { checkClaimOrder } from './claim-order.mjs';
import { Members } from './members.mjs';

const PROCESSES = [1, 2, 4];
/** The total, however many processes share them. */
const CALLERS = 8;
const TASKS_OF_A_KEY = 10;

/**
 * One queue that is filled and then drained through one, two and four API processes on one Postgres, with and without
 * keys. Each repetition has one run of each. Throws if any task was overtaken.
 */
export async function measureScale(postgres, { scaleTasks, repeat }, say) {
  const url = await postgres.database('scale');
  const runs = [];
  for (let round = 0; round < repeat; round++) {
    for (const processes of round % 2 === 0 ? PROCESSES : PROCESSES.toReversed()) {
      say(`round ${round + 1}: ${processes} API processes`);
      runs.push(...(await runsOf(postgres, url, processes, scaleTasks, round)));
    }
  }
  return runs;
}

/** One run without keys and one with keys. */
async function runsOf(postgres, url, processes, tasks, round) {
  const members = await Members.start(url, processes, tasks);
  try {
    const runs = [];
    for (const isKeyed of [false, true]) {
      await postgres.settle();
      const queue = `scale-${processes}-${isKeyed ? 'keyed' : 'plain'}-${round}`;
      runs.push({ processes, isKeyed, ...(await oneRun(members, url, { queue, tasks, processes, isKeyed })) });
    }
    return runs;
  } finally {
    await members.stop();
  }
}

async function oneRun(members, url, { queue, tasks, processes, isKeyed }) {
  const shares = dealtBatches(tasks, processes);
  const callers = Math.ceil(CALLERS / processes);
  const keys = isKeyed ? Math.ceil(tasks / TASKS_OF_A_KEY) : 0;
  const size = { queue, policy: { duplicatePending: 'allow' }, keys, callers };
  const enqueue = await timed(tasks, () => members.all('sharedFill', (at) => ({ ...size, batches: shares[at] })));
  await analyze({ url });
  const drain = await timed(tasks, () => members.all('sharedDrain', () => ({ callers })));
  const done = drain.answers.reduce((sum, answer) => sum + answer.done, 0);
  if (done !== tasks) throw new Error(`Expected ${tasks} tasks to be worked off, but ${done} were`);
  await checkClaimOrder(url, queue);
  return { enqueue: enqueue.rate, drain: drain.rate, claimers: drain.answers };
}

async function timed(tasks, work) {
  const watch = new Stopwatch();
  const answers = await work();
  watch.stop();
  return { rate: watch.rate(tasks), answers };
}
