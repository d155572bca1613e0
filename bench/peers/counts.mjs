import pg from 'pg';
import { SystemProcess } from './system-process.mjs';

/**
 * What a task's whole life (bulk, then drain) costs in Postgres: rows inserted, updated and deleted, transactions, WAL,
 * statements, and events where there are any. Postgres has counted all of a connection's work only when it ends, so the
 * life is lived in a process of its own; the few transactions of its start are counted with it.
 */
export async function countLife(name, tasks, postgres) {
  const url = await postgres.database(name);
  const before = await written(postgres, name, url);
  const statements = await live(name, url, tasks);
  const after = await written(postgres, name, url);
  const counted = Object.keys(after).map((key) => [key, (after[key] - before[key]) / tasks]);
  return { ...Object.fromEntries(counted), statements: statements / tasks };
}

/** Answers how many statements it took. */
async function live(name, url, tasks) {
  const system = new SystemProcess(name, { url });
  try {
    await system.ready;
    const before = await system.statements();
    await system.work('bulkAndDrain', { tasks, batchesTried: 1 });
    return (await system.statements()) - before;
  } finally {
    await system.stop();
  }
}

async function written(postgres, name, url) {
  return { ...(await postgres.written(name)), ...(await eventsIn(url)) };
}

/** Of tasks, in the log of a system that has one. */
async function eventsIn(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`select to_regclass('events') is not null as logged`);
    if (!rows[0].logged) return {};
    return (await client.query(`select count(*)::float8 as events from events where category = 'task'`)).rows[0];
  } finally {
    await client.end();
  }
}
