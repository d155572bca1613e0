import { uuidv7 } from 'uuidv7';
import { batchSizes, inLanes } from '../measure/lanes.mjs';
import { PAYLOAD } from '../measure/payload.mjs';

const BATCH = 500;
/** While the database stores the batches of some lanes, others prepare theirs. */
const LANES = 4;
/** More than can run at once at 1,000 tasks per second, so that no task waits for a slot. */
const SLOTS = 200;
const PATIENCE_MS = 10_000;

/** Waybill through its client, with any transport. */
export class WaybillClient {
  batches = [BATCH];
  #waybill;
  #followers;
  #queue;

  /** `followers`: those of its log. Only `caughtUp` needs them. */
  constructor(waybill, followers = null) {
    this.#waybill = waybill;
    this.#followers = followers;
  }

  empty() {
    return this.use(`bench-${uuidv7()}`);
  }

  /** Uses this queue from now on, which another process may use too. */
  async use(name, policy = {}) {
    this.#queue = this.#waybill.queue(name);
    await this.#queue.define(policy);
  }

  async enqueueMany(count) {
    const sizes = batchSizes(count, BATCH);
    await inLanes(LANES, sizes.length, (at) => this.enqueueBatch(newTasks(sizes[at])));
  }

  enqueue(payload) {
    return this.#queue.enqueue(payload);
  }

  async drain(_count, batch, watch) {
    let done = 0;
    await inLanes(LANES, LANES, async () => {
      for (let settled = batch; settled > 0 && !watch.isOver; done += settled) {
        settled = await this.settle(await this.claimBatch(batch));
      }
    });
    return done;
  }

  async work(onTask) {
    const worker = this.#waybill.worker({ concurrency: SLOTS, logger: null });
    worker.handle(this.#queue.name, async ({ payload }) => onTask(payload));
    await worker.start();
    return async () => void (await worker.stop());
  }

  async claim() {
    const claimedTasks = await this.#queue.claim({ worker: 'bench', max: 1 });
    if (claimedTasks.length !== 1) throw new Error(`Expected to be given a task, but got ${claimedTasks.length}`);
  }

  async lifecycle(count, batch) {
    const sizes = batchSizes(count, batch);
    await inLanes(LANES, sizes.length, (at) => this.liveBatch(sizes[at]));
  }

  /**
   * Whole lives of this many tasks. Each caller takes as many tasks as it enqueued, so that there are enough for all.
   */
  async liveBatch(size) {
    await this.enqueueBatch(newTasks(size));
    for (let left = size; left > 0;) left -= await this.settle(await this.#claimPatiently(left));
  }

  async enqueueBatch(tasks) {
    const outcomes = await this.#queue.enqueueMany(tasks);
    const refused = outcomes.find(({ problem }) => problem);
    if (refused) throw new Error(`Expected to enqueue a task, but it was refused: ${refused.problem.detail}`);
  }

  /** Does not wait for tasks. */
  claimBatch(max) {
    return this.#queue.claim({ worker: 'bench', max, waitMs: 0 });
  }

  /** Returns how many tasks have succeeded. */
  async settle(claimedTasks) {
    if (claimedTasks.length === 0) return 0;
    const verdict = { type: 'succeed' };
    const results = await this.#waybill.settle(claimedTasks.map(({ taskId, token }) => ({ taskId, token, verdict })));
    return results.filter(({ recorded }) => recorded).length;
  }

  caughtUp() {
    return this.#followers.caughtUp();
  }

  async #claimPatiently(max) {
    const claimedTasks = await this.#queue.claim({ worker: 'bench', max, waitMs: PATIENCE_MS });
    if (claimedTasks.length === 0) throw new Error('Expected a task to claim, but none came');
    return claimedTasks;
  }
}

const newTasks = (count) => Array.from({ length: count }, () => ({ payload: PAYLOAD }));
