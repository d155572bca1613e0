import { existsSync } from 'node:fs';

/** The oldest Node that pg-boss 12 and graphile-worker 0.18 accept. */
const PEERS_NODE = [22, 18];

const EVERYTHING = 'every event of the task for ever, with its payload and result, and the task as a row';
/** The default of `deleteAfterSeconds`. */
const ROW_FOR_A_WEEK = 'the job as a row with its payload and result, for seven days; no history';
const NOTHING = 'nothing: a finished job is deleted';

/**
 * Every system of the comparison: its name in the results, its name for people, where it stores its tasks, what it
 * keeps of a succeeded task, and what must be installed for it.
 */
export const SYSTEMS = [
  { name: 'waybill', title: 'Waybill', module: './waybill.mjs', on: 'postgres', keeps: EVERYTHING },
  { name: 'waybillHttp', title: 'Waybill over HTTP', module: './waybill-http.mjs', on: 'postgres', keeps: EVERYTHING },
  {
    name: 'pgboss',
    title: 'pg-boss',
    module: './pg-boss.mjs',
    on: 'postgres',
    keeps: ROW_FOR_A_WEEK,
    needs: 'pg-boss',
  },
  {
    name: 'graphile',
    title: 'graphile-worker',
    module: './graphile-worker.mjs',
    on: 'postgres',
    keeps: NOTHING,
    needs: 'graphile-worker',
  },
  {
    name: 'bullmq',
    title: 'BullMQ, fsync always',
    module: './bullmq.mjs',
    on: 'durable',
    keeps: NOTHING,
    needs: 'bullmq',
  },
  {
    name: 'bullmqMemory',
    title: 'BullMQ, not durable',
    module: './bullmq.mjs',
    on: 'memory',
    keeps: NOTHING,
    needs: 'bullmq',
  },
];

/** Why the system cannot be measured here; null if it can. `redis` is the version of the installed Redis. */
export function whyNot({ needs, on }, redis) {
  if (!needs) return null;
  if (!existsSync(new URL(`../node_modules/${needs}`, import.meta.url)))
    return `'${needs}' is not installed (npm run bench:setup)`;
  if (!isPeersNode(process.versions.node))
    return `'${needs}' needs Node ${PEERS_NODE.join('.')}, but this is ${process.version}`;
  if (on !== 'postgres' && redis === null)
    return `there is no 'redis-server' on the PATH (apt-get install redis-server)`;
  return null;
}

/** Opens the system. @returns {Promise<import('./system.mjs').System>} */
export async function openSystem(name, places) {
  const { module } = SYSTEMS.find((system) => system.name === name);
  return (await import(module)).open(places);
}

function isPeersNode(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > PEERS_NODE[0] || (major === PEERS_NODE[0] && minor >= PEERS_NODE[1]);
}
