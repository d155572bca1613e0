import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, QueueHandle, TaskHandle } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';

const COLLECTION = { collection: 'maps' };
const WHY = { reason: 'the rights are being cleared' };
const IN_FORCE = { code: 'HOLD_IN_FORCE', status: 409, problem: { hold: 'maps', by: 'anonymous', ...WHY } };

let service: RunningService;
let queue: QueueHandle;
beforeEach(async () => {
  service = await startService();
  queue = service.waybill.queue('jobs');
});
afterEach(() => service.stop());

async function enqueue(labels: Record<string, string> = COLLECTION): Promise<TaskHandle> {
  return service.waybill.task((await queue.enqueue({}, { labels })).id);
}

const claim = (max = 10): Promise<readonly ClaimedTask[]> => queue.claim({ worker: 'w1', max });
const stateOf = async (task: TaskHandle): Promise<string> => (await task.get()).state;
const place = () => service.waybill.holds.place('maps', COLLECTION, WHY);
const lift = () => service.waybill.holds.lift('maps');

/** A task that a hold caught. */
async function caught(): Promise<TaskHandle> {
  const task = await enqueue();
  await place();
  expect(await claim()).toEqual([]);
  expect(await stateOf(task)).toBe('held');
  return task;
}

/** Reports on a claimed task. */
const settle = ({ taskId, token }: ClaimedTask, verdict: object) =>
  service.waybill.settle([{ taskId, token, verdict } as never]);

describe('a hold on a collection', () => {
  beforeEach(() => queue.define({}));

  it('S2-10 holds the planner of a submission whose collection is held when it would begin, and no other', async () => {
    const before = await enqueue();
    await place();
    const [after, another] = [await enqueue(), await enqueue({ collection: 'letters' })];
    const given = await claim();
    expect(given.map(({ taskId }) => taskId)).toEqual([another.id]);
    expect(await Promise.all([before, after].map(stateOf))).toEqual(['held', 'held']);
    expect(await service.waybill.holds.get('maps')).toMatchObject({ state: 'placed', holds: 2, ...WHY });
    expect((await before.why()).reasons).toEqual([
      { because: 'held', by: 'anonymous', hold: 'maps', ...WHY },
      { because: 'hold', by: 'anonymous', hold: 'maps', ...WHY },
    ]);
  });

  it('S2-10 says of a waiting task that the hold will catch it', async () => {
    const task = await enqueue();
    await place();
    expect((await task.why()).reasons).toEqual([{ because: 'hold', hold: 'maps', by: 'anonymous', ...WHY }]);
    await lift();
    expect((await task.why()).reasons).toMatchObject([{ because: 'worker' }]);
  });

  it('S2-10 catches tasks that have all of its labels, whatever their order and others', async () => {
    await service.waybill.holds.place('both', { collection: 'maps', type: 'scan' });
    const [matching, less] = [await enqueue({ type: 'scan', by: 'ann', ...COLLECTION }), await enqueue()];
    expect(await claim()).toMatchObject([{ taskId: less.id }]);
    expect(await stateOf(matching)).toBe('held');
  });

  it('S2-10 holds more tasks than one look finds, and gives out what is behind them', async () => {
    const held = await queue.enqueueMany(Array.from({ length: 2_500 }, () => ({ labels: COLLECTION })));
    expect(held.every((outcome) => 'id' in outcome)).toBe(true);
    const behind = await enqueue({ collection: 'letters' });
    await place();
    expect(await claim()).toMatchObject([{ taskId: behind.id }]);
    expect(await service.waybill.holds.get('maps')).toMatchObject({ holds: 2_500 });
  });

  it('S2-11 moves nothing when it is lifted, and refuses a release while it is in force', async () => {
    const task = await caught();
    await expect(task.release()).rejects.toMatchObject(IN_FORCE);
    await lift();
    expect(await stateOf(task)).toBe('held');
    expect(await claim()).toEqual([]);
    await task.release();
    expect(await claim()).toMatchObject([{ taskId: task.id }]);
    expect(await service.waybill.holds.get('maps')).toMatchObject({ state: 'lifted', holds: 0 });
  });

  it('S2-35 looks at every hold in force again when a task is released, not only at the one that caught it', async () => {
    const task = await caught();
    await service.waybill.holds.place('atlas', COLLECTION);
    await lift();
    await expect(task.release()).rejects.toMatchObject({ code: 'HOLD_IN_FORCE', problem: { hold: 'atlas' } });
    await service.waybill.holds.lift('atlas');
    await task.release();
    expect(await stateOf(task)).toBe('pending');
  });

  it('S2-35 catches a task again that is released between two holds', async () => {
    const task = await caught();
    await lift();
    await task.release();
    await place();
    expect(await claim()).toEqual([]);
    expect(await stateOf(task)).toBe('held');
  });

  it("S2-35 leaves a person's own hold to that person, which takes one key", async () => {
    const task = await enqueue();
    await task.hold({ reason: 'wait' });
    await place();
    await task.release();
    expect(await stateOf(task)).toBe('pending');
    expect(await claim()).toEqual([]);
    expect(await stateOf(task)).toBe('held');
  });

  it('refuses to start a task at once that it would catch', async () => {
    await place();
    const start = async (labels: Record<string, string>) => {
      const body = JSON.stringify({ queue: 'jobs', worker: 'w1', labels });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${service.url}/v1/tasks/start`, { method: 'POST', headers, body })).json();
    };
    expect(await start(COLLECTION)).toMatchObject({ code: 'HOLD_IN_FORCE', hold: 'maps', by: 'anonymous', ...WHY });
    expect(await start({ collection: 'letters' })).toMatchObject({ task: { queue: 'jobs' } });
  });
});

describe('a hold in a queue that it concerns only before the first claim', () => {
  beforeEach(() => queue.define({ steps: ['Estimating', 'Downloading'], holdsCatch: 'first-claim' }));

  it('S2-34 catches a job that waits, also if the hold was placed after the job was queued', async () => {
    const job = await caught();
    await lift();
    await job.release();
    expect(await claim()).toMatchObject([{ taskId: job.id, step: 'Estimating' }]);
  });

  it('S2-34 catches no job that has left its waiting place, not even between two steps', async () => {
    const job = await enqueue();
    const [estimating] = await claim();
    await place();
    await settle(estimating!, { type: 'completeStep', step: 'Estimating', then: 'offer' });
    const [downloading] = await claim();
    expect(downloading).toMatchObject({ taskId: job.id, step: 'Downloading' });
    await settle(downloading!, { type: 'fail', error: { message: 'disk', class: 'transient' } });
    await job.retry();
    expect(await claim()).toMatchObject([{ taskId: job.id }]);
  });

  it('S2-34 catches a job between two steps under the default policy', async () => {
    queue = service.waybill.queue('default');
    await queue.define({ steps: ['Estimating', 'Downloading'] });
    const job = await enqueue();
    const [estimating] = await claim();
    await place();
    await settle(estimating!, { type: 'completeStep', step: 'Estimating', then: 'offer' });
    expect(await claim()).toEqual([]);
    expect(await stateOf(job)).toBe('held');
  });
});
