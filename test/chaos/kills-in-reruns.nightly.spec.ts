import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BatchHandle, ClaimedTask, SettleVerdict, Waybill } from '@waybill/client';
import { copyOf } from '../../src/application/batches/rerun-ids.js';
import { violationsOf } from '../support/history-checker.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { type Crash, type CrashPoint, lastWords } from './crash-points.js';
import { Run } from './run.js';
import { freePort } from './ports.js';

const QUEUE = 'jobs';
const JOBS = ['map-1', 'map-2', 'map-3'];

const at = (point: CrashPoint): Crash => ({ point, passage: 1 });

/** Where a steward dies that plans a rerun, and the state in which it leaves the batch of the copies. */
const WINDOWS: readonly (readonly [CrashPoint, string])[] = [
  ['before-copies', 'planning'],
  ['after-copies', 'planning'],
  ['after-opening', 'running'],
  ['after-settle', 'running'],
];

describe('kill -9 of the steward that plans the rerun of a batch', () => {
  let run: Run;
  let waybill: Waybill;
  beforeAll(async () => {
    run = await Run.open();
    await run.service({ env: { WAYBILL_ROLES: 'api,projector,reactor,sweeper,relay' } }).ready();
    waybill = run.client();
    await waybill.queue(QUEUE).define({ onFailure: 'fail', steps: ['download', 'record'] });
  });
  afterAll(() => run.close());

  const steward = async (point?: CrashPoint) =>
    run.service({ port: await freePort(), env: { WAYBILL_ROLES: 'steward' }, ...(point && { crash: at(point) }) });

  /** The steward dies there, and the plan is given out again without waiting for its lease. */
  async function killed(point: CrashPoint): Promise<void> {
    const one = await steward(point);
    expect([await one.ended, one.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(one.lines).toContain(lastWords(at(point)));
    await loseWorkers(run.pool, 'waybill.reruns');
  }

  /** Claims the jobs that may run, and reports these verdicts of each. */
  async function work(verdictsOf: (job: ClaimedTask) => readonly SettleVerdict[]): Promise<readonly ClaimedTask[]> {
    const claimed = await waybill.queue(QUEUE).claim({ worker: 'w', max: 10, waitMs: 60_000 });
    for (const job of claimed) {
      const { taskId, token } = job;
      await waybill.settle(verdictsOf(job).map((verdict) => ({ taskId, token, verdict })));
    }
    return claimed;
  }

  /** A batch whose jobs have failed at their last step. */
  async function failed(): Promise<BatchHandle> {
    const plan = waybill.planBatch({ name: 'maps', reRunReporting: 'rerun-batch' });
    for (const reference of JOBS) plan.add(QUEUE, null, { reference });
    const batch = await plan.submit();
    await work(({ reference }) => [
      { type: 'completeStep', step: 'download', then: 'continue', data: { file: `${reference}.tif` } },
      { type: 'fail', error: { message: 'no database' } },
    ]);
    await becomes(batch, 'failed');
    return batch;
  }

  const becomes = (batch: BatchHandle, state: string) =>
    until(`the batch to be ${state}`, async () => ((await batch.get()).state === state ? true : null));

  it('at every window doubles and misses no copy, and lets none run before all are there', async () => {
    const batch = await failed();
    const rerun = await batch.rerun();
    for (const [point, state] of WINDOWS) {
      await killed(point);
      expect([point, (await rerun.get()).state]).toEqual([point, state]);
      if (state === 'planning') expect(await waybill.queue(QUEUE).claim({ worker: 'early' })).toEqual([]);
    }

    const copies = await work(() => [{ type: 'completeStep', step: 'record', then: 'continue' }, { type: 'succeed' }]);
    await becomes(rerun, 'completed');
    await becomes(batch, 'completed');
    const originals: string[] = [];
    for await (const { id } of waybill.tasks.list({ batch: batch.id, state: 'superseded' })) originals.push(id);
    expect(originals).toHaveLength(JOBS.length);
    expect(copies.map(({ taskId }) => taskId).sort()).toEqual(originals.map((id) => copyOf(id, batch.id)).sort());
    for (const { reference, step, data } of copies)
      expect([step, data]).toEqual(['record', { file: `${reference}.tif` }]);
    expect(await rerun.get()).toMatchObject({ total: JOBS.length, plannerState: 'succeeded', reports: 1 });

    await run.settled();
    expect(violationsOf(await run.history())).toEqual([]);
  });
});
