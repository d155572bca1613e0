import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { setTimeout as pause } from 'node:timers/promises';
import { batchSizes, inLanes } from '../measure/lanes.mjs';
import { PAYLOAD } from '../measure/payload.mjs';
import { countStatements } from '../measure/statements.mjs';

const INSERT_BATCH = 1_000;
const INSERT_LANES = 2;
const LOOPS = 4;
const LATENCY_BATCH = 100;
/** `work()` polls at most every half second, but `fetch` may be called as often as desired. */
const IDLE_PAUSE_MS = 2;

/** pg-boss by `insert`, `send`, `fetch` and `complete`, without its monitoring and schedules. */
class PgBossSystem {
  batches = [500, 100];
  #boss;
  #queue;
  #queues = 0;

  constructor(boss) {
    this.#boss = boss;
  }

  async empty() {
    if (this.#queue) await this.#boss.deleteAllJobs(this.#queue);
    this.#queue = `bench-${this.#queues++}-${process.pid}`;
    await this.#boss.createQueue(this.#queue);
  }

  async enqueueMany(count) {
    const sizes = batchSizes(count, INSERT_BATCH);
    await inLanes(INSERT_LANES, sizes.length, (at) => this.#insert(sizes[at]));
  }

  enqueue(payload) {
    return this.#boss.send(this.#queue, payload);
  }

  async drain(_count, batchSize, watch) {
    let done = 0;
    await inLanes(LOOPS, LOOPS, async () => {
      for (let jobs; !watch.isOver && (jobs = await this.#fetch(batchSize)).length > 0; done += jobs.length) {
        await this.#complete(jobs);
      }
    });
    return done;
  }

  /** Whole lives by `LOOPS` callers, each of which takes as many jobs as it inserted. */
  async lifecycle(count, batch) {
    const sizes = batchSizes(count, batch);
    await inLanes(LOOPS, sizes.length, (at) => this.#live(sizes[at]));
  }

  async #live(size) {
    await this.#insert(size);
    for (let left = size; left > 0;) {
      const jobs = await this.#fetch(left);
      await (jobs.length > 0 ? this.#complete(jobs) : pause(IDLE_PAUSE_MS));
      left -= jobs.length;
    }
  }

  async work(onTask) {
    let working = true;
    const loop = async () => {
      while (working) {
        const jobs = await this.#fetch(LATENCY_BATCH);
        for (const { data } of jobs) onTask(data);
        await (jobs.length > 0 ? this.#complete(jobs) : pause(IDLE_PAUSE_MS));
      }
    };
    const loops = [loop(), loop()];
    return async () => {
      working = false;
      await Promise.all(loops);
    };
  }

  async claim() {
    const jobs = await this.#fetch(1);
    if (jobs.length !== 1) throw new Error(`Expected to fetch a job, but got ${jobs.length}`);
  }

  async stop() {
    await this.#boss.stop({ graceful: false });
  }

  #insert(size) {
    return this.#boss.insert(
      this.#queue,
      Array.from({ length: size }, () => ({ data: PAYLOAD })),
    );
  }

  #fetch(batchSize) {
    return this.#boss.fetch(this.#queue, { batchSize });
  }

  #complete(jobs) {
    return this.#boss.complete(
      this.#queue,
      jobs.map(({ id }) => id),
    );
  }
}

export async function open({ url }) {
  const statements = countStatements(pg);
  const boss = new PgBoss({ connectionString: url, max: 10, supervise: false, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  return Object.assign(new PgBossSystem(boss), { statements });
}
