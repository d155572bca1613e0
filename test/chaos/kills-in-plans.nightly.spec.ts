import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BatchHandle, Waybill } from '@waybill/client';
import { derivedId } from '../../src/application/kernel/derived-id.js';
import { violationsOf } from '../support/history-checker.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { Child } from './child.js';
import { PATIENT } from './load.js';
import { lastWordsOf, PLANNER_CRASHES, type PlannerCrash, textOf } from './planner-crashes.js';
import { Run } from './run.js';

const [PLANS, JOBS] = ['plans', 'jobs'];
/** Too large for one request that adds them. */
const [TASKS, BYTES] = [6, 200_000];
const RETRY = { retry: PATIENT };

describe('kill -9 of the planner of a batch', () => {
  let run: Run;
  let waybill: Waybill;
  beforeAll(async () => {
    run = await Run.open();
    await run.service().ready();
    waybill = run.client();
    // After several losses in a row, the service waits longer each time.
    const backoff = { kind: 'fixed', baseMs: 20, capMs: 400, jitter: 'none' } as const;
    await waybill.queue(PLANS).define({ onFailure: 'retry', maxLost: 100, retry: { backoff } });
    await waybill.queue(JOBS).define({ onFailure: 'fail' });
  });
  afterAll(() => run.close());

  function planner(crash: PlannerCrash): Child {
    const env = { SERVICE_URL: run.url, QUEUE: PLANS, JOBS, TASKS: String(TASKS), BYTES: String(BYTES) };
    const child = new Child('test/chaos/planning-worker.ts', { ...env, CRASH_AT: textOf(crash) });
    run.include(child);
    return child;
  }

  /** The planner dies there, and its task is given out again without waiting for its lease. */
  async function killed(crash: PlannerCrash): Promise<void> {
    const child = planner(crash);
    expect([await child.ended, child.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(child.lines).toContain(lastWordsOf(crash));
    await loseWorkers(run.pool, PLANS);
  }

  /** How often each job was run, by its ordinal. */
  async function work(batch: BatchHandle): Promise<ReadonlyMap<number, number>> {
    const runs = new Map<number, number>();
    const worker = waybill
      .worker({ name: 'w', concurrency: 100, logger: null })
      .handle<{ job: number }>(JOBS, (task) => {
        runs.set(task.payload.job, (runs.get(task.payload.job) ?? 0) + 1);
      });
    await worker.start();
    await until('the batch to end', async () => ((await batch.get(RETRY)).endedAt === null ? null : true), 120_000);
    await run.settled(120_000);
    await worker.stop();
    return runs;
  }

  it('at every window doubles and misses no job, and lets none run before all are there', async () => {
    const batch = await waybill.createBatch({ name: 'maps', plan: { queue: PLANS } });
    for (const crash of PLANNER_CRASHES.slice(0, 6)) {
      await killed(crash);
      expect(await batch.get()).toMatchObject({ state: 'planning', phase: 'processing' });
      expect(await waybill.queue(JOBS).claim({ worker: 'early' })).toEqual([]);
    }
    for (const crash of PLANNER_CRASHES.slice(6)) {
      await killed(crash);
      expect(await batch.get()).toMatchObject({ state: 'running', total: TASKS });
    }
    const runs = await work(batch);
    await run.caughtUp();

    const ordinals = Array.from({ length: TASKS }, (_, ordinal) => ordinal);
    expect([...runs].toSorted(([a], [b]) => a - b)).toEqual(ordinals.map((ordinal) => [ordinal, 1]));
    const ids: string[] = [];
    for await (const { id } of waybill.tasks.list({ batch: batch.id })) ids.push(id);
    const derived = ordinals.map((ordinal) => derivedId(`batch ${batch.id}`, String(ordinal)));
    expect(ids.toSorted()).toEqual(derived.toSorted());
    expect(await batch.get()).toMatchObject({
      state: 'completed',
      plannerState: 'succeeded',
      total: TASKS,
      succeeded: TASKS,
      reports: 1,
    });
    expect(violationsOf(await run.history())).toEqual([]);
  }, 300_000);
});
