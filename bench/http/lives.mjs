import { setTimeout as pause } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { batchSizes, inLanes } from '../measure/lanes.mjs';
import { PAYLOAD } from '../measure/payload.mjs';
import { KINDS } from './kinds.mjs';

const CALLERS = 4;
/** The next tasks of keys become ready with the success of those before. */
const PAUSE_MS = 5;
const LIMIT_MS = 300_000;

/** The lives of tasks of one kind in a queue of their own, enqueued and drained in batches by four callers. */
export class Lives {
  #caller;
  #kind;
  #tasks;
  #queue = `lives-${uuidv7()}`;
  #batchId = uuidv7();
  #made = 0;

  static async of(caller, name, tasks) {
    const lives = new Lives(caller, KINDS[name], tasks);
    await lives.#define();
    return lives;
  }

  constructor(caller, kind, tasks) {
    this.#caller = caller;
    this.#kind = kind;
    this.#tasks = tasks;
  }

  async #define() {
    await this.#caller.put(`/v1/queues/${this.#queue}`, { policy: { onFailure: 'fail', ...this.#kind.policy } });
    if (this.#kind.inBatch) await this.#caller.post('/v1/batches', { id: this.#batchId, name: 'lives' });
  }

  enqueue(batch) {
    const sizes = batchSizes(this.#tasks, batch);
    return inLanes(CALLERS, sizes.length, (at) => this.#enqueueBatch(sizes[at]));
  }

  /** The tasks of a batch wait until it is complete. */
  async open() {
    if (this.#kind.inBatch) await this.#caller.post(`/v1/batches/${this.#batchId}/open`, { tasks: this.#tasks });
  }

  async #enqueueBatch(size) {
    const tasks = Array.from({ length: size }, () => this.#task(this.#made++));
    accepted(await this.#caller.post('/v1/tasks/batch', { tasks }));
  }

  #task(n) {
    return { queue: this.#queue, kind: 'life', payload: PAYLOAD, ...this.#kind.task(n, this.#batchId) };
  }

  /** Until all tasks have succeeded. */
  async drain(batch) {
    let done = 0;
    const end = performance.now() + LIMIT_MS;
    await inLanes(CALLERS, CALLERS, async (lane) => {
      while (done < this.#tasks) {
        if (performance.now() > end) throw new Error(`Expected ${this.#tasks} tasks to succeed, but ${done} did`);
        const settled = await this.#claimAndSettle(`worker-${lane}`, batch);
        done += settled;
        if (settled === 0) await pause(PAUSE_MS);
      }
    });
  }

  async #claimAndSettle(worker, max) {
    const { tasks } = await this.#caller.post(`/v1/queues/${this.#queue}/claims`, { worker, server: 'bench', max });
    if (tasks.length === 0) return 0;
    const items = tasks.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' } }));
    accepted(await this.#caller.post('/v1/settlements', { items }));
    return tasks.length;
  }
}

function accepted({ results }) {
  const refused = results.find(({ problem }) => problem);
  if (refused) throw new Error(`Expected every item to be accepted, but got ${JSON.stringify(refused.problem)}`);
}
