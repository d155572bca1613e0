import 'reflect-metadata';
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { BUILD } from '../../dist/bootstrap/functions.js';
import { startWaybill } from '../../dist/index.js';
import { PostgresPool } from '../../dist/infrastructure/database/postgres-pool.js';
import { Leaders } from '../../dist/infrastructure/leadership/leaders.js';
import { LocalWakeUps } from '../../dist/infrastructure/notify/local-wake-ups.js';
import { PostgresEventStore } from '../../dist/infrastructure/postgres-event-store/postgres-event-store.js';
import { Rebuild } from '../../dist/infrastructure/projection-engine/rebuild.js';
import { failureGroups } from '../../dist/projections/failure-groups/failure-groups.projection.js';
import { seconds } from '../graph/work.mjs';
import { median } from '../measure/quantiles.mjs';
import {
  SumFailureGroups,
  SumFailureGroupsHandler,
} from '../../dist/projections/failure-groups/failure-group-figures.query.js';
import { failTasks } from './write.mjs';

const ROUNDS = 10;
const LOOK_MS = 20;

/**
 * All parts on one service with all its roles. A task that fails for good is two failures: its attempt's, and its own. Calls `say`
 * after every part.
 */
export async function measureFailures(url, { failures, messages, looks }, say) {
  const service = await startWaybill({ databaseUrl: url, actor: 'bench' });
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    const written = await write(service.waybill, db, { tasks: Math.ceil(failures / 2), messages }, say);
    await db.query('vacuum analyze');
    const lists = { ...(await look(service.waybill, looks)), metrics: await medianMs(looks, () => figures(db)) };
    say(`lists: ${JSON.stringify(lists)}`);
    return { ...written, ...(await rows(db)), lists, rebuild: await rebuilt(url, say) };
  } finally {
    await db.end();
    await service.stop();
  }
}

/** In ten rounds, so that the memory after the first can be compared with that after the last. */
async function write(waybill, db, { tasks, messages }, say) {
  const queue = waybill.queue('mail');
  await queue.define({ onFailure: 'fail' });
  const count = Math.ceil(tasks / ROUNDS);
  const memory = [];
  let followed = 0;
  const took = await seconds(async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await failTasks(waybill, queue, { from: round * count, count, messages });
      followed += await seconds(() => caughtUp(db));
      memory.push(process.memoryUsage.rss() / 1e6);
      say(`${(round + 1) * count} tasks failed, ${memory.at(-1).toFixed(0)} MB`);
    }
  });
  return {
    tasks: count * ROUNDS,
    seconds: took,
    behindSeconds: followed,
    memory: { first: memory[0], last: memory.at(-1) },
  };
}

const AT_HEAD = `select position >= (select max(position + n - 1) from segments) as there from projection_checkpoints
  where name = 'failure-groups' and slot = 'live'`;

async function caughtUp(db) {
  while (!(await db.query(AT_HEAD)).rows[0].there) await pause(LOOK_MS);
}

/** Medians in milliseconds. */
async function look(waybill, looks) {
  const [largest] = await top(waybill, { order: 'most' }, 1);
  return {
    latest: await medianMs(looks, () => top(waybill, {}, 50)),
    most: await medianMs(looks, () => top(waybill, { order: 'most' }, 50)),
    group: await medianMs(looks, () => waybill.failures.get(largest.id)),
    tasks: await medianMs(looks, () => waybill.tasks.page({ group: largest.id, state: 'failed' }, { limit: 50 })),
  };
}

/** What the metrics ask for. */
const figures = (db) =>
  new SumFailureGroupsHandler({ query: async (text, values) => (await db.query(text, values)).rows }).execute(
    new SumFailureGroups(20),
  );

/** In one request. */
async function top(waybill, filter, limit) {
  const groups = [];
  for await (const group of waybill.failures.list({ ...filter, limit })) if (groups.push(group) === limit) break;
  return groups;
}

async function medianMs(looks, work) {
  const times = [];
  for (let at = 0; at < looks; at++) times.push((await seconds(work)) * 1_000);
  return median(times);
}

async function rows(db) {
  const { rows: found } = await db.query(`select (select count(*)::int from failure_groups) as groups,
    (select (sum(attempts) + sum(tasks))::float8 from failure_groups) as counted, (select sum(pg_total_relation_size(t))::float8 / 1e6 from
      unnest(array['failure_groups', 'failure_group_queues', 'failure_group_hours', 'failure_group_workers', 'failed_tasks']::regclass[]) t) as "megabytes"`);
  return found[0];
}

/** How long it takes to make the groups anew, the memory that this adds, and how many rows differ. */
async function rebuilt(url, say) {
  const pool = new PostgresPool({ url, size: 4, functions: BUILD.schema });
  const leaders = new Leaders(pool);
  try {
    const rebuild = new Rebuild(new PostgresEventStore(pool, new LocalWakeUps()), pool, leaders);
    const before = process.memoryUsage.rss();
    let differing = 0;
    const took = await seconds(async () => ({ rows: differing } = await rebuild.diff(failureGroups)));
    say(`rebuilt in ${took.toFixed(0)} s, ${differing} rows differ`);
    return { seconds: took, differing, addedMb: (process.memoryUsage.rss() - before) / 1e6 };
  } finally {
    await leaders.close();
    await pool.end();
  }
}
