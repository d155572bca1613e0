import 'reflect-metadata';
import { PostgresEventStore } from '../../dist/infrastructure/postgres-event-store/postgres-event-store.js';
import { LocalWakeUps } from '../../dist/infrastructure/notify/local-wake-ups.js';
import { BUILD } from '../../dist/bootstrap/functions.js';
import { PostgresPool } from '../../dist/infrastructure/database/postgres-pool.js';
import { SystemProcess } from '../peers/system-process.mjs';
import { liveLag } from './live-lag.mjs';
import { LogReader } from './log-reader.mjs';
import { rebuildAll } from './rebuilds.mjs';
import { writeAtOnce } from './writers.mjs';

/** Measures the read side in three parts, on one growing log. Calls `say` for every part. */
export async function measureReadSide(url, { tasks, events, writers }, say) {
  const lag = await lagUnderDrain(url, tasks);
  for (const [name, { p99 }] of Object.entries(lag)) say(`lag of ${name}: p99 ${p99.toFixed(1)} ms`);
  const pool = new PostgresPool({ url, size: 4, functions: BUILD.schema });
  const store = new PostgresEventStore(pool, new LocalWakeUps());
  try {
    const log = await readBesideWriters(store, pool, () => writeAtOnce(url, writers, events));
    say(`${log.seen} of ${log.written} events seen beside ${writers} writers`);
    return { lag, log, rebuilds: rates(await rebuildAll(pool, store), await eventsAfter(pool, 0n)) };
  } finally {
    await pool.end();
  }
}

async function lagUnderDrain(url, tasks) {
  const waybill = new SystemProcess('waybill', { url });
  try {
    await waybill.ready;
    await waybill.work('fill', { tasks });
    return await liveLag(url, () => waybill.work('drain', { tasks }));
  } finally {
    await waybill.stop();
  }
}

async function readBesideWriters(store, pool, write) {
  const head = await store.head();
  const reader = new LogReader(store, head);
  const [seen] = await Promise.all([reader.read(), write().finally(() => reader.finish())]);
  return { written: await eventsAfter(pool, head), seen };
}

async function eventsAfter(pool, position) {
  const { rows } = await pool.query('select count(*)::float8 as events from events where position > $1', [position]);
  return rows[0].events;
}

/** Events per second, by model and for all models. */
const rates = (seconds, events) =>
  Object.fromEntries(Object.entries(seconds).map(([name, one]) => [name, events / one]));
