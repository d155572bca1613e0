import { createWaybill } from '@waybill/client';
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '../systems/waybill-service.mjs';
import { WaybillClient } from '../systems/waybill-client.mjs';
import { memoryOf } from './service-memory.mjs';
import { Storage } from '../database/storage.mjs';

const LANES = 4;
const BATCH = 100;

/** Whole lives over HTTP without a pause: a window's figures are those of its own time. `say` is told of every window. */
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
  const before = await storage.totals();
  await load.start();
  const measured = [];
  for (let at = 0; at < windows; at++) {
    measured.push(await oneWindow(load, storage, pid, windowSeconds));
    say(measured.at(-1));
  }
  await load.stop();
  return { windows: measured, ...perTask(before, await storage.totals(), load.done), tables: await storage.tables() };
}

async function oneWindow(load, storage, pid, seconds) {
  const start = performance.now();
  const before = load.done;
  await load.goOn(seconds);
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
  #lanes;

  constructor(url) {
    this.#client = new WaybillClient(createWaybill({ url, actor: 'soak' }));
  }

  /** Resolves when the first batch is done, so that no window counts the start. */
  async start() {
    await this.#client.empty();
    await this.#live();
    this.#lanes = Promise.all(Array.from({ length: LANES }, () => this.#lane()));
  }

  /** Resolves after that time; throws what ended a lane before. */
  async goOn(seconds) {
    await Promise.race([pause(seconds * 1000), this.#lanes]);
  }

  async stop() {
    this.#stopped = true;
    await this.#lanes;
  }

  async #lane() {
    while (!this.#stopped) await this.#live();
  }

  async #live() {
    await this.#client.liveBatch(BATCH);
    this.done += BATCH;
  }
}
