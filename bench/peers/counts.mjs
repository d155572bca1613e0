import { Storage } from '../database/storage.mjs';
import { SystemProcess } from './system-process.mjs';

/** The number of tasks for which the disk is reported. A quick run counts fewer and multiplies. */
export const COUNTED_DISK_TASKS = 200_000;
const MB = 1_000_000;

/**
 * The cost of a task's whole life (bulk, then drain) in Postgres, in an empty database: rows inserted, updated and
 * deleted, transactions, WAL, statements, and events if there are any; and the disk that many lives leave behind. The
 * life runs in a process of its own, whose connections have ended when the counters are read.
 */
export async function countLife(name, url, tasks) {
  const system = new SystemProcess(name, { url });
  const { before, statements } = await live(system, url, tasks);
  const after = await written(url);
  const perTask = (key) => (after[key] - before[key]) / tasks;
  const { rows, commits, walBytes, events } = Object.fromEntries(Object.keys(after).map((key) => [key, perTask(key)]));
  const diskMB = (perTask('bytes') * COUNTED_DISK_TASKS) / MB;
  return { rows, ...(events !== undefined && { events }), statements, commits, walBytes, diskMB };
}

/** Returns what was written before, and the number of statements of a life. */
async function live(system, url, tasks) {
  try {
    await system.ready;
    const before = await written(url);
    const sent = await system.statements();
    await system.work('bulkAndDrain', { tasks, fills: 1 });
    return { before, statements: ((await system.statements()) - sent) / tasks };
  } finally {
    await system.stop();
  }
}

async function written(url) {
  const storage = await Storage.open(url);
  try {
    const { rowsWritten: rows, commits, walBytes, bytes } = await storage.totals();
    const events = await storage.events();
    return { rows, commits, walBytes, bytes, ...(events !== null && { events }) };
  } finally {
    await storage.close();
  }
}
