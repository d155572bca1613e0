import { Queue, Worker } from 'bullmq';
import { batchSizes, inLanes } from '../measure/lanes.mjs';
import { PAYLOAD } from '../measure/payload.mjs';
import { until } from '../measure/until.mjs';

const ADD_BATCH = 1_000;
const ADD_LANES = 4;
const CONCURRENCY = 100;
const TOKEN = 'bench';

/** BullMQ on a Redis. Completed jobs are removed. */
class BullMqSystem {
  batches = [1];
  #connection;
  #queue;
  #claimer;
  #queues = 0;

  constructor(connection) {
    this.#connection = connection;
  }

  async empty() {
    await this.#close();
    const defaultJobOptions = { removeOnComplete: true };
    this.#queue = new Queue(`bench-${this.#queues++}`, { connection: this.#connection, defaultJobOptions });
    this.#claimer = new Worker(this.#queue.name, null, { connection: this.#connection });
  }

  async enqueueMany(count) {
    const sizes = batchSizes(count, ADD_BATCH);
    await inLanes(ADD_LANES, sizes.length, (at) =>
      this.#queue.addBulk(Array.from({ length: sizes[at] }, () => ({ name: 'bench', data: PAYLOAD }))),
    );
  }

  enqueue(payload) {
    return this.#queue.add('bench', payload);
  }

  async drain(count, _batch, watch) {
    let started = 0;
    let completed = 0;
    const worker = this.#worker(() => ++started === 1 && watch.start());
    worker.on('completed', () => completed++);
    await until('the jobs to be completed', async () => completed === count || watch.isOver);
    watch.stop();
    await worker.close();
    return completed;
  }

  async work(onTask) {
    const worker = this.#worker(onTask);
    await worker.waitUntilReady();
    return () => worker.close();
  }

  async claim() {
    if (!(await this.#claimer.getNextJob(TOKEN))) throw new Error('Expected to get a job, but there was none');
  }

  stop() {
    return this.#close();
  }

  #worker(onTask) {
    const handle = async ({ data }) => onTask(data);
    return new Worker(this.#queue.name, handle, { connection: this.#connection, concurrency: CONCURRENCY });
  }

  async #close() {
    await this.#claimer?.close();
    await this.#queue?.obliterate({ force: true });
    await this.#queue?.close();
  }
}

export async function open({ redisPort }) {
  return new BullMqSystem({ host: '127.0.0.1', port: Number(redisPort), maxRetriesPerRequest: null });
}
