import { bulkAndDrain, drain, fill } from './bulk-and-drain.mjs';
import { claim } from './claim.mjs';
import { heldXmin } from './held-xmin.mjs';
import { latency } from './latency.mjs';
import { lifecycle } from './lifecycle.mjs';
import { sharedDrain, sharedFill } from './shared-queue.mjs';
import { single } from './single.mjs';

const RUN = { bulkAndDrain, fill, drain, single, latency, lifecycle, heldXmin, claim, sharedFill, sharedDrain };

const everywhere = () => true;
/** The others enqueue, claim or settle in no batches of the caller's choice. A quick run leaves out the peer, which no goal needs. */
const inBatches = ({ name }, { quick }) => name.startsWith('waybill') || (!quick && name === 'pgboss');
/** A quick run leaves out the peers if no goal needs them. */
const inProcess = ({ name }, { quick }) => name === 'waybill' || (!quick && name !== 'waybillHttp');
const inPostgres = (system, options) => system.on === 'postgres' && inProcess(system, options);

/**
 * The works, in their order. Those that leave so much behind that it would affect later ones come last, and run once.
 * `size` is the size of the work in a run of this many tasks. A time limit ends work at which a system is very slow.
 */
export const WORKS = [
  { name: 'bulkAndDrain', by: everywhere, size: bulkAndDrainSize },
  { name: 'single', by: everywhere, size: singleSize },
  { name: 'latency', by: everywhere, size: latencySize },
  { name: 'lifecycle', by: inBatches, size: ({ tasks, quick }) => ({ tasks: quick ? tasks / 8 : tasks, batch: 100 }) },
  { name: 'heldXmin', by: inPostgres, size: bulkAndDrainSize },
  { name: 'claim', by: inProcess, once: true, size: claimSize },
];

/** The number for each system in each repetition. The better one counts. */
const FILLS = 2;

function bulkAndDrainSize({ tasks, quick }) {
  return quick ? { tasks, fills: 1, limitSeconds: 2 } : { tasks, fills: FILLS, limitSeconds: 60 };
}

function singleSize({ tasks, quick }) {
  return { tasks, callers: 50, limitSeconds: quick ? 1 : 60 };
}

function latencySize({ tasks, quick }) {
  return { tasks: Math.ceil(tasks / (quick ? 20 : 10)), perSecond: 1_000 };
}

function claimSize({ tasks, quick }) {
  return quick
    ? { backlogs: [Math.ceil(tasks / 20), tasks], claims: Math.ceil(tasks / 200) }
    : { backlogs: [1_000, 100_000, 1_000_000], claims: 500 };
}

/** One work by one system. @param {import('../systems/system.mjs').System} system */
export const runWork = (name, system, size, places) => RUN[name](system, size, places);
