import { Storage } from '../database/storage.mjs';
import { SystemProcess } from './system-process.mjs';

/**
 * What a task's whole life (bulk, then drain) costs in Postgres: rows inserted, updated and deleted, transactions, WAL,
 * statements, and events where there are any. The life is lived in a process of its own, whose connections have ended when
 * the counters are read; the few transactions of its start are counted with it.
 */
export async function countLife(name, url, tasks) {
  const before = await written(url);
  const statements = await live(name, url, tasks);
  const after = await written(url);
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

async function written(url) {
  const storage = await Storage.open(url);
  try {
    const { rowsWritten, commits, walBytes } = await storage.totals();
    const events = await storage.events();
    return { rows: rowsWritten, commits, walBytes, ...(events !== null && { events }) };
  } finally {
    await storage.close();
  }
}
