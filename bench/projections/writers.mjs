import { SystemProcess } from '../peers/system-process.mjs';

const EVENTS_PER_LIFE = 3;
const BATCH = 100;

/** Runs several processes on one database, which together write this many events of whole lives at the same time. */
export async function writeAtOnce(url, writers, events) {
  const processes = Array.from({ length: writers }, () => new SystemProcess('waybill', { url }));
  try {
    await Promise.all(processes.map(({ ready }) => ready));
    const tasks = Math.ceil(events / EVENTS_PER_LIFE / writers);
    await Promise.all(processes.map((one) => one.work('lifecycle', { tasks, batch: BATCH })));
  } finally {
    await Promise.all(processes.map((one) => one.stop()));
  }
}
