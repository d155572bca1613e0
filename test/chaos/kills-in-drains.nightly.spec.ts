import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Handler, type Waybill, type Worker } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { violationsOf } from '../support/history-checker.js';
import { until } from '../support/until.js';
import { type Crash, lastWords } from './crash-points.js';
import { defineQueues, PATIENT, PLAIN } from './load.js';
import { Run } from './run.js';

/** More than one worker's, and more than one claim gives out. */
const RUNNING = 60;
const WAITING = 20;
const RETRY = { retry: PATIENT };

describe('kill -9 of the service in a drain', () => {
  let run: Run;
  const workers: Worker[] = [];
  beforeAll(async () => {
    run = await Run.open();
  });
  afterAll(async () => {
    await stopWorkers();
    await run.close();
  });

  const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.stop()));

  async function startWorkers(handler: Handler): Promise<void> {
    for (const name of ['w1', 'w2', 'w3']) {
      const worker = run
        .client()
        .worker({ name, leaseMs: 30_000, concurrency: 20, logger: null })
        .handle(PLAIN, handler);
      workers.push(worker);
      await worker.start();
    }
  }

  /** Runs until it is told to stop. */
  const untilStopped: Handler = (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  const killed = async (crash: Crash, act: () => unknown = () => undefined): Promise<void> => {
    const service = run.service({ crash });
    act();
    expect([await service.ended, service.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(service.lines).toContain(lastWords(crash));
  };

  const count = async (waybill: Waybill, state: 'running' | 'cancelled'): Promise<number> => {
    const { items } = await waybill.tasks.page({ queue: PLAIN, state }, { limit: 500, ...RETRY });
    return items.length;
  };

  it('stops and resumes exactly what ran, each task once', async () => {
    const waybill = run.client();
    const first = run.service();
    await first.ready();
    await defineQueues(waybill);
    const ids = Array.from({ length: RUNNING + WAITING }, () => uuidv7());
    await waybill.queue(PLAIN).enqueueMany(
      ids.map((id) => ({ id, payload: null })),
      RETRY,
    );
    const { id: mistake } = await waybill.queue(PLAIN).enqueue(null, { hold: {}, ...RETRY });
    await waybill.task(mistake).cancel(RETRY);
    await startWorkers(untilStopped);
    await until('the workers to be busy', async () => ((await count(waybill, 'running')) === RUNNING ? true : null));
    await first.kill();

    const drained: Promise<unknown>[] = [];
    await killed({ point: 'within-drain', passage: 1 }, () =>
      drained.push(waybill.system.drain({ running: 'cancel', reason: 'version 2' }, RETRY)),
    );
    await killed({ point: 'after-append', passage: 1 });
    const second = run.service();
    await second.ready();
    await Promise.all(drained);
    await until(
      'all runs to be stopped',
      async () => ((await waybill.system.get(RETRY)).running === 0 ? true : null),
      120_000,
    );
    await stopWorkers();
    expect(await waybill.system.get(RETRY)).toMatchObject({ state: 'draining', stopped: RUNNING });
    await second.kill();

    await startWorkers(async () => undefined);
    const resumed: Promise<unknown>[] = [];
    await killed({ point: 'within-drain', passage: 1 }, () => resumed.push(waybill.system.resume({}, RETRY)));
    await run.service().ready();
    await Promise.all(resumed);
    await until(
      'nothing to be left stopped',
      async () => ((await waybill.system.get(RETRY)).stopped === 0 ? true : null),
      120_000,
    );
    await run.settled(300_000);
    await stopWorkers();
    await run.caughtUp();

    const history = await run.history();
    expect(violationsOf(history)).toEqual([]);
    expect((await waybill.task(mistake).get(RETRY)).state).toBe('cancelled');
    expect(await count(waybill, 'cancelled')).toBe(1);
    const lives = await Promise.all(ids.map((id) => waybill.task(id).history(RETRY)));
    const stops = lives.map((life) => life.filter(({ type }) => /^Task(Cancelled|Retried)$/.test(type)).length);
    expect(stops.toSorted()).toEqual([...Array<number>(WAITING).fill(0), ...Array<number>(RUNNING).fill(2)]);
  }, 600_000);
});
