import { timeOfProcess, timeOfServer } from '../measure/cpu.mjs';
import { costOf } from '../measure/meter.mjs';
import { yardstick } from '../measure/yardstick.mjs';
import { memoryOf } from './service-memory.mjs';

/** A part of the soak, from its creation to `end`. */
export class Window {
  #load;
  #storage;
  #pids;
  #start = performance.now();
  #done;
  #times;

  constructor(load, storage, pids) {
    this.#load = load;
    this.#storage = storage;
    this.#pids = pids;
    this.#done = load.done;
    this.#times = this.#read();
  }

  /** What was done in it, the cost of a life, and the state at its end. */
  async end() {
    const lives = this.#load.done - this.#done;
    const tasksPerSecond = lives / ((performance.now() - this.#start) / 1000);
    const cost = costOf(this.#times, this.#read(), lives);
    const { bytes, deadRows } = await this.#storage.totals();
    const memory = await memoryOf(this.#pids.service);
    const { now: memoryMB = null, peak: peakMemoryMB = null } = memory ?? {};
    return { tasksPerSecond, cost, yardstickMs: yardstick(), memoryMB, peakMemoryMB, bytes, deadRows };
  }

  /** Microseconds of processor time. */
  #read() {
    return { service: timeOfProcess(this.#pids.service), postgres: timeOfServer(this.#pids.server) };
  }
}
