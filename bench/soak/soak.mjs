import { createWaybill } from '@waybill/client';
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '../systems/waybill-service.mjs';
import { WaybillClient } from '../systems/waybill-client.mjs';
import { memoryOf } from './service-memory.mjs';
import { Storage } from './storage.mjs';

const LANES = 4;
const BATCH = 100;

/**
 * Whole lives over HTTP without a pause: a window's figures are those of its own time. `say` is told of every window.
 */
export async function soak(url, { windows, windowSeconds }, say) {
  const service = await startService(url);
  const storage = await Storage.open(url);
  const load = new Load(service.url);
  try {
    const before = await storage.totals();
    await load.start();
    const measured = [];
    for (let at = 0; at < windows; at++) {
      measured.push(await oneWindow(load, storage, service.pid, windowSeconds));
      say(measured.at(-1));
    }
    return {
      windows: measured,
      ...perTask(before, await storage.totals(), load.done),
      tables: await storage.tables(),
    };
  } finally {
    await load.stop();
    await storage.close();
    await service.stop();
  }
}

async function oneWindow(load, storage, pid, seconds) {
  const start = performance.now();
  const before = load.done;
  await pause(seconds * 1000);
  const tasksPerSecond = (load.done - before) / ((performance.now() - start) / 1000);
  const { bytes, deadRows } = await storage.totals();
  const memory = await memoryOf(pid);
  return { tasksPerSecond, memoryMB: memory?.now ?? null, peakMemoryMB: memory?.peak ?? null, bytes, deadRows };
}

const perTask = (before, after, tasks) => ({
  tasks,
  walBytesPerTask: (after.walBytes - before.walBytes) / tasks,
  commitsPerTask: (after.commits - before.commits) / tasks,
});

/** A few callers, each of whom hands a batch in, takes one and settles it, again and again. */
class Load {
  done = 0;
  #client;
  #stopped = false;
  #lanes = [];

  constructor(url) {
    this.#client = new WaybillClient(createWaybill({ url, actor: 'soak' }));
  }

  /** Resolves when the first batch is done, so that no window counts the start. */
  async start() {
    await this.#client.empty();
    await this.#live();
    this.#lanes = Array.from({ length: LANES }, () => this.#lane());
  }

  /** Throws what ended a lane before its time. */
  async stop() {
    this.#stopped = true;
    await Promise.all(this.#lanes);
  }

  async #lane() {
    while (!this.#stopped) await this.#live();
  }

  async #live() {
    await this.#client.liveBatch(BATCH);
    this.done += BATCH;
  }
}
