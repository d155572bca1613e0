import { Storage } from '../database/storage.mjs';
import { startService } from '../systems/waybill-service.mjs';
import { Load } from './load.mjs';
import { Window } from './window.mjs';

/** Whole lives over HTTP without a pause. A window's figures cover only its own time. Calls `say` for every window. */
export async function soak(url, size, say) {
  const service = await startService(url);
  const storage = await Storage.open(url);
  try {
    return await measure(new Load(service.url), storage, service.pid, size, say);
  } finally {
    await storage.close();
    await service.stop();
  }
}

async function measure(load, storage, pid, { windows, windowSeconds }, say) {
  const pids = { service: pid, server: await storage.serverPid() };
  const before = await storage.totals();
  await load.start();
  const measured = [];
  for (let at = 0; at < windows; at++) {
    const window = new Window(load, storage, pids);
    await load.goOn(windowSeconds);
    measured.push(await window.end());
    say(measured.at(-1));
  }
  await load.stop();
  return { windows: measured, ...perTask(before, await storage.totals(), load.done), tables: await storage.tables() };
}

const perTask = (before, after, tasks) => ({
  tasks,
  walBytesPerTask: (after.walBytes - before.walBytes) / tasks,
  commitsPerTask: (after.commits - before.commits) / tasks,
});
