import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { batchSizes, inLanes } from '../measure/lanes.mjs';
import { PAYLOAD } from '../measure/payload.mjs';
import { countStatements } from '../measure/statements.mjs';
import { until } from '../measure/until.mjs';

const ADD_BATCH = 10_000;
const TASK = 'bench';
const quiet = new Logger(() => () => undefined);
const worker = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };

/** graphile-worker with the settings of its own performance test: local queue of 500, 24 at once, batch delays 0. */
class GraphileSystem {
  batches = [worker.localQueue.size];
  #pool;
  #utils;

  constructor(pool, utils) {
    this.#pool = pool;
    this.#utils = utils;
  }

  /** It deletes completed jobs, and has one table for all queues. */
  async empty() {
    await this.#pool.query('delete from graphile_worker._private_jobs');
  }

  async enqueueMany(count) {
    const sizes = batchSizes(count, ADD_BATCH);
    await inLanes(1, sizes.length, (at) =>
      this.#utils.addJobs(Array.from({ length: sizes[at] }, () => ({ identifier: TASK, payload: PAYLOAD }))),
    );
  }

  enqueue(payload) {
    return this.#utils.addJob(TASK, payload);
  }

  async drain(count, _batch, watch) {
    let started = 0;
    const runner = await this.#run(() => ++started === 1 && watch.start());
    await until('the jobs to start', async () => started === count || watch.isOver);
    // Completions are written in batches. A graceful stop writes the last one.
    await runner.stop();
    return started;
  }

  async work(onTask) {
    const runner = await this.#run(onTask);
    return () => runner.stop();
  }

  async stop() {
    await this.#utils.release();
    await this.#pool.end();
  }

  #run(onTask) {
    const taskList = { [TASK]: async (payload) => onTask(payload) };
    return run({
      pgPool: this.#pool,
      taskList,
      concurrency: 24,
      logger: quiet,
      noHandleSignals: true,
      preset: { worker },
    });
  }
}

export async function open({ url }) {
  const statements = countStatements(pg);
  const pool = new pg.Pool({ connectionString: url, max: 26 });
  pool.on('error', (error) => console.error(error));
  pool.on('connect', (client) => client.on('error', (error) => console.error(error)));
  const utils = await makeWorkerUtils({ pgPool: pool, logger: quiet });
  await utils.migrate();
  return Object.assign(new GraphileSystem(pool, utils), { statements });
}
