import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Handler, Worker } from '../../src/index.js';
import { accepted, claimedTask, refused, SETTLE, StubWork } from '../support/stub-work.js';
import { until } from '../support/until.js';

let work: StubWork;
let worker: Worker;
let failed: unknown[];

beforeEach(async () => {
  work = await StubWork.start();
  failed = [];
});
afterEach(async () => {
  await worker.stop();
  await work.service.close();
});

/** Runs a job with two items, and returns what was reported on each task, in order. */
async function verdictsOf(handler: Handler<any>, reports: number): Promise<unknown[]> {
  worker = work.worker().handle('mail', handler);
  worker.on('failed', ({ error }) => failed.push(error));
  work.offer(claimedTask('job', { items: [claimedTask('i1'), claimedTask('i2')] }));
  await worker.start();
  await until(() => work.verdicts.length >= reports);
  return work.verdicts;
}

describe('the items of a job', () => {
  it('are settled one by one, with whatever a handler may return', async () => {
    const verdicts = await verdictsOf(async (_, run) => {
      const [first, second] = run.items;
      await first!.settle({ total: first!.payload.name });
      await second!.settle(run.fail('business', 'no tax number'));
    }, 3);
    expect(verdicts).toEqual([
      ['i1', { type: 'succeed', result: { total: 'i1' } }],
      ['i2', { type: 'fail', error: { class: 'business', message: 'no tax number' } }],
      ['job', { type: 'succeed' }],
    ]);
  });

  it('can be given back, and are left to their leases if the handler forgets them', async () => {
    const verdicts = await verdictsOf((_, run) => run.items[0]!.giveBack().then(() => undefined), 2);
    expect(verdicts).toEqual([
      ['i1', { type: 'return' }],
      ['job', { type: 'succeed' }],
    ]);
  });

  it('that are no longer leased to the job say so to the handler, and the other items go on', async () => {
    work.service.on(SETTLE, refused('LEASE_LOST'), accepted);
    await verdictsOf(async (_, run) => {
      await run.items[0]!.settle().catch((error: unknown) => failed.push(error));
      await run.items[1]!.settle();
    }, 3);
    expect(failed).toMatchObject([{ code: 'LEASE_LOST' }]);
    expect(work.verdicts.map((verdict) => (verdict as [string])[0])).toEqual(['i1', 'i2', 'job']);
  });

  it('whose outcome cannot be sent have failed for good, and the others go on', async () => {
    const states: string[] = [];
    await verdictsOf(async (_, run) => {
      for (const item of run.items) states.push(await item.settle({ total: item.task.taskId === 'i1' ? 1n : 1 }));
    }, 3);
    expect(work.verdicts).toMatchObject([
      ['i1', { type: 'fail', final: true, error: { class: 'bug' } }],
      ['i2', { type: 'succeed' }],
      ['job', { type: 'succeed' }],
    ]);
    expect(failed).toMatchObject([{ name: 'IllegalVerdict' }]);
  });

  it('whose outcome is refused have failed for good, and the others go on', async () => {
    work.service.on(SETTLE, refused('PAYLOAD_TOO_LARGE'), accepted);
    await verdictsOf(async (_, run) => {
      for (const item of run.items) await item.settle('large');
    }, 4);
    expect(work.verdicts).toMatchObject([
      ['i1', { type: 'succeed' }],
      ['i1', { type: 'fail', final: true }],
      ['i2', { type: 'succeed' }],
      ['job', { type: 'succeed' }],
    ]);
    expect(failed).toMatchObject([{ code: 'PAYLOAD_TOO_LARGE' }]);
  });

  it('have no secrets, and other tasks have no items', async () => {
    const seen: unknown[] = [];
    await verdictsOf((task, run) => void seen.push(task, ...run.items.map((item) => item.task)), 1);
    for (const task of seen) expect(Object.keys(task as object)).not.toEqual(expect.arrayContaining(['token']));
    work.offer(claimedTask('plain'));
    await until(() => work.verdicts.length === 2);
    expect(seen).toHaveLength(4);
  });
});
