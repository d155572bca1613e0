import 'reflect-metadata';
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { startWaybill } from '../../dist/index.js';
import { PostgresPool } from '../../dist/infrastructure/database/postgres-pool.js';
import { BUILD } from '../../dist/bootstrap/functions.js';
import { eventsUntilNext, HERE } from '../../dist/infrastructure/past/snapshots/snapshot.js';
import { SnapshotWriter } from '../../dist/infrastructure/past/snapshots/snapshot-writer.js';
import { serverPid } from '../database/server-pid.mjs';
import { seconds } from '../graph/work.mjs';
import { timeOfProcess, timeOfServer } from '../measure/cpu.mjs';
import { median } from '../measure/quantiles.mjs';
import { build } from './log.mjs';

const EVENTS_OF_LIFE = 3;
const TAKEN = 15;
/** The states of open tasks in `build`. */
const STATES = ['pending', 'running', 'held', 'failed'];

/** All parts on one service with all its roles. Calls `say` after every part. */
export async function measureHistory(url, { events, open, moments }, say) {
  const service = await startWaybill({ databaseUrl: url, actor: 'bench' });
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    const server = await serverPid(db);
    const lifeUs = await written(service.waybill, db, { server, events, open }, say);
    await kept(db);
    say(`snapshots: ${JSON.stringify(await stored(db))}`);
    const looks = await lookBack(service.waybill, db, moments);
    say(`${moments} moments: counts ${told(looks.counts)}, pages ${told(looks.pages)}, a task ${told(looks.tasks)}`);
    return {
      ...looks,
      snapshots: { ...(await stored(db)), ...(await price(url, service.waybill, { server, lifeUs })) },
    };
  } finally {
    await db.end();
    await service.stop();
  }
}

/** Returns the processor time of a life in microseconds, of the service and of Postgres; null if it cannot be known. */
async function written(waybill, db, size, say) {
  const used = () => (size.server === null ? null : timeOfProcess(process.pid) + timeOfServer(size.server));
  const from = used();
  let written = 0;
  const took = await seconds(async () => (written = await build(waybill, () => head(db), size, say)));
  say(`${written} events in ${took.toFixed(0)} s`);
  return from === null ? null : ((used() - from) * EVENTS_OF_LIFE) / written;
}

const head = async (db) => {
  const { rows } = await db.query('select coalesce(max(position), 0)::float8 as head from segments');
  return rows[0].head;
};

/** The keeper has made all snapshots that are due. */
async function kept(db) {
  await db.query('vacuum analyze');
  for (let before = -1; ;) {
    const { rows } = await db.query('select count(*)::int as snapshots from snapshots');
    if (rows[0].snapshots === before) return;
    before = rows[0].snapshots;
    await pause(12_000);
  }
}

async function stored(db) {
  const { rows } = await db.query(`select count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes,
    pg_total_relation_size('snapshots') + pg_total_relation_size('snapshot_tasks') as "onDisk" from snapshots`);
  const { count, bytes, onDisk } = rows[0];
  return { count, bytes, bytesPerEvent: Number(onDisk) / (await head(db)) };
}

async function lookBack(waybill, db, moments) {
  const last = await head(db);
  const random = () => String(1 + Math.floor(last * (0.01 + 0.99 * Math.random())));
  const tasks = await db.query(
    `select task_id as id from tasks where state = 'succeeded' and random() < 0.05 limit 1000`,
  );
  const [counts, pages, single] = [[], [], []];
  for (let at = 0; at < moments; at++) {
    counts.push(await ms(() => waybill.asOf(random()).queue('busy').tally()));
    const state = STATES[at % STATES.length];
    pages.push(await ms(() => waybill.asOf(random()).taskPage({ state, limit: 100 })));
    const task = tasks.rows[at % tasks.rows.length];
    single.push(await ms(() => waybill.asOf(String(last)).task(task.id).get()));
  }
  return { counts: summary(counts), pages: summary(pages), tasks: summary(single) };
}

/** What the keeper costs: how long a snapshot takes, and Postgres's time for it as a share of the processor time of the lives between two. */
async function price(url, waybill, { server, lifeUs }) {
  const pool = new PostgresPool({ url, size: 1, functions: BUILD.schema });
  try {
    const writer = new SnapshotWriter(pool, HERE);
    const [times, costs] = [[], []];
    for (let at = 0; at < TAKEN; at++) {
      await waybill.queue('busy').enqueue(at);
      const from = server && timeOfServer(server);
      times.push(await ms(() => writer.take()));
      costs.push(server && timeOfServer(server) - from);
    }
    const lives = eventsUntilNext(HERE, (await writer.since()).last) / EVENTS_OF_LIFE;
    const [takeMs, takeUs] = [median(times), median(costs)];
    return { takeMs, takeUs, lifeUs, share: lifeUs === null ? null : takeUs / (lifeUs * lives) };
  } finally {
    await pool.end();
  }
}

const ms = async (work) => (await seconds(work)) * 1_000;
const summary = (times) => ({ median: median(times), longest: Math.max(...times) });
const told = ({ median: middle, longest }) => `${middle.toFixed(1)} ms (longest ${longest.toFixed(1)})`;
