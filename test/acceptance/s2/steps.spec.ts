import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';
import { JobQueue } from './job-queue.js';

let service: RunningService;
let jobs: JobQueue;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  jobs = await JobQueue.in(service);
});

const get = (id: string) => service.waybill.task(id).get();

/** Far beyond what the queue allows the other steps: three attempts and three losses. */
const MANY = 20;

describe('Estimating and Provisioning', () => {
  it.each(['Estimating', 'Provisioning'] as const)(
    'S2-55 given any number of errors in %s, the job stays there and shows its last error and attempts',
    async (step) => {
      let task = await jobs.at(step);
      const { taskId, attempt } = task;
      for (let errors = 1; errors <= MANY; errors++) {
        expect(await jobs.fail(task, `HEAD timed out ${errors}`, errors % 2 === 0)).toBe('pending');
        const error = { message: `HEAD timed out ${errors}` };
        expect(await get(taskId)).toMatchObject({ stateName: step, error, retries: errors });
        task = await jobs.next(step);
        expect(task).toMatchObject({ taskId, step, attempt: attempt + errors });
      }
    },
  );

  it.each(['Estimating', 'Provisioning'] as const)(
    'S2-55 given any number of workers that die in %s, the job stays there, and its history has its last error and attempts',
    async (step) => {
      const first = await jobs.at(step);
      await jobs.fail(first, 'HEAD timed out');
      const { taskId, attempt } = await jobs.next(step);
      for (let lost = 1; lost <= MANY; lost++) {
        await service.passTime('13 hours');
        expect(await jobs.next(step)).toMatchObject({ taskId, step, attempt: attempt + lost });
      }
      expect(await get(taskId)).toMatchObject({ stateName: step, attempt: attempt + MANY });
      const history = await service.waybill.task(taskId).history();
      expect(history.filter(({ type }) => type === 'TaskLeaseExpired')).toHaveLength(MANY);
      expect(history.findLast(({ data }) => 'error' in data)).toMatchObject({
        data: { error: { message: 'HEAD timed out' } },
      });
    },
  );

  it('S2-55 offers the job again after a backoff, which grows from 10 seconds to 10 minutes', async () => {
    const slow = await JobQueue.in(service, {});
    const { policy, policyVersion } = await slow.handle.get();
    // Without the preset's jitter, which takes any time from none to these.
    const backoff = { ...policy.retry.backoff, jitter: 'none' } as const;
    await slow.handle.changePolicy({ retry: { backoff } }, { ifVersion: policyVersion });
    let task = await slow.at('Estimating');
    for (const seconds of [10, 20, 40, 80, 160, 320, 600, 600]) {
      await slow.fail(task);
      const { dueAt, waitingFor, updatedAt, stateName } = await get(task.taskId);
      expect([stateName, waitingFor, await slow.claim('Estimating')]).toEqual(['Estimating', 'due', undefined]);
      expect(Math.round((Date.parse(dueAt!) - Date.parse(updatedAt)) / 5_000) * 5).toBe(seconds);
      await service.passTime('13 hours');
      task = await slow.next('Estimating');
    }
  });

  it('S2-40 given a HEAD that is not supported, marks no success, and records that the total may be inaccurate', async () => {
    const estimating = await jobs.at('Estimating');
    await jobs.complete(estimating, { mark: false });
    const provisioning = await jobs.claim('Provisioning');
    expect(provisioning).toMatchObject({ lastSuccessfulStep: null, data: {} });
    await jobs.complete(provisioning!, { data: { inaccurate: provisioning!.lastSuccessfulStep !== 'Estimating' } });
    expect(await get(estimating.taskId)).toMatchObject({
      lastStep: null,
      step: 'Downloading',
      data: { inaccurate: true },
    });
  });

  it('S2-40 given an estimate, Provisioning leaves the mark of Estimating', async () => {
    const estimating = await jobs.at('Estimating');
    await jobs.complete(estimating, { data: { spaceNeeded: 4_711 } });
    const provisioning = await jobs.claim('Provisioning');
    expect(provisioning).toMatchObject({ lastSuccessfulStep: 'Estimating', data: { spaceNeeded: 4_711 } });
    await jobs.complete(provisioning!);
    expect(await get(estimating.taskId)).toMatchObject({ lastStep: 'Estimating', step: 'Downloading' });
  });

  it('S2-37 lets the estimate change the priority, and records it', async () => {
    const estimating = await jobs.at('Estimating');
    await jobs.complete(estimating, { priority: -20 });
    const task = service.waybill.task(estimating.taskId);
    expect(await task.get()).toMatchObject({ priority: -20, stateName: 'Provisioning' });
    expect((await task.history()).at(-1)).toMatchObject({ type: 'TaskStepCompleted', data: { priority: -20 } });
    const other = await jobs.at('Provisioning');
    expect(other.taskId).not.toBe(task.id);
  });

  it('S2-37 refuses that where the queue does not allow it', async () => {
    const strict = await JobQueue.in(service, { workersPrioritise: false });
    expect(await strict.complete(await strict.at('Estimating'), { priority: 1 })).toBe('PRIORITY_NOT_TAKEN');
  });
});

describe('Downloading', () => {
  it('S2-42 given a file that cannot be downloaded, fails, names it, and keeps the last step', async () => {
    const job = await jobs.failedAt('Downloading', "Expected to download 'b.tif', but got 404");
    expect(await job.get()).toMatchObject({
      stateName: 'Failed',
      lastStep: 'Estimating',
      step: 'Downloading',
      error: { message: "Expected to download 'b.tif', but got 404" },
    });
    await job.retry();
    expect(await jobs.claim()).toMatchObject({ step: 'Downloading' });
  });

  it('S2-42 given a failure before any step was marked, keeps none, and resumes at Downloading', async () => {
    const estimating = await jobs.at('Estimating');
    await jobs.complete(estimating, { mark: false });
    await jobs.complete((await jobs.claim('Provisioning'))!);
    await jobs.fail((await jobs.claim('Downloading'))!, "Expected to download 'b.tif', but got 404");
    const job = service.waybill.task(estimating.taskId);
    expect(await job.get()).toMatchObject({ stateName: 'Failed', lastStep: null, step: 'Downloading' });
    await job.retry();
    expect(await jobs.claim()).toMatchObject({ taskId: job.id, step: 'Downloading' });
  });

  it('S2-53 resumes where it stopped, by the list of files that are whole', async () => {
    const task = await jobs.at('Downloading');
    expect(await jobs.report(task, { type: 'record', data: { whole: ['a.tif'] } })).toBe('running');
    expect(await jobs.report(task, { type: 'record', data: { whole: ['a.tif', 'b.tif'] } })).toBe('running');
    await service.passTime('13 hours');
    expect(await jobs.claim('Downloading')).toMatchObject({ taskId: task.taskId, data: { whole: ['a.tif', 'b.tif'] } });
  });

  it('S2-53 is split into more states by policy', async () => {
    const queue = service.waybill.queue('split-jobs');
    const steps = ['Estimating', 'Active Provisioning', 'Capacity Checks', 'Downloading'];
    await queue.define({ steps }, { preset: 'repository-jobs' });
    const { id } = await queue.enqueue({});
    for (const step of steps) {
      const [task] = await queue.claim({ worker: 'w1', steps: [step] });
      expect((await get(id)).stateName).toBe(step);
      await jobs.complete(task!);
    }
    expect((await get(id)).stateName).toBe('COMPLETED');
  });
});

describe('Processing', () => {
  it('S2-44 mints one ark: it is recorded at once, and found when the step runs again', async () => {
    let minted = 0;
    const work = async () => {
      const task = (await jobs.claim('Processing'))!;
      if (task.data.ark === undefined) await jobs.report(task, { type: 'record', data: { ark: `ark:/1/${++minted}` } });
      return task;
    };
    const job = await jobs.failedAt('Processing');
    await job.retry();
    await jobs.fail(await work(), 'storage answered 503');
    await job.retry();
    const again = await work();
    expect([minted, again.data]).toEqual([1, { ark: 'ark:/1/1' }]);
  });

  it('S2-45 shows the error of a failed minting or storage', async () => {
    const job = await jobs.failedAt('Processing', 'the storage endpoint answered 503');
    expect(await job.get()).toMatchObject({
      stateName: 'Failed',
      error: { message: 'the storage endpoint answered 503' },
    });
  });
});

describe('Recording', () => {
  it('S2-46 is claimed by the inventory alone, which gets no other jobs', async () => {
    const processing = await jobs.at('Processing');
    await jobs.enqueue({});
    expect(await jobs.claim('Recording')).toBeUndefined();
    await jobs.complete(processing, { data: { manifest: 'm1' } });
    expect(await jobs.claim('Estimating', 'Provisioning', 'Downloading', 'Processing', 'Notify')).toMatchObject({
      step: 'Estimating',
    });
    const task = await jobs.claim('Recording');
    expect(task).toMatchObject({ taskId: processing.taskId, step: 'Recording', data: { manifest: 'm1' } });
    await jobs.complete(task!);
    expect(await get(processing.taskId)).toMatchObject({ stateName: 'Notify', lastStep: 'Recording' });
  });

  it('S2-47 shows the error of the inventory', async () => {
    const job = await jobs.failedAt('Recording', 'the database is full');
    expect(await job.get()).toMatchObject({
      stateName: 'Failed',
      lastStep: 'Processing',
      error: { message: 'the database is full' },
    });
  });
});

describe('the data of a job', () => {
  it('S2-44 are merged, corrected by operators, and limited', async () => {
    const task = await jobs.at('Estimating');
    await jobs.report(task, { type: 'record', data: { a: 1, b: { c: 2 } } });
    const handle = service.waybill.task(task.taskId);
    await handle.annotate({ a: null, d: 'x' }, { reason: 'typo' });
    expect((await handle.get()).data).toEqual({ b: { c: 2 }, d: 'x' });
    expect(await refusalOf(handle.annotate({ big: 'x'.repeat(65_536) }))).toMatchObject({
      code: 'DATA_TOO_LARGE',
      status: 413,
      problem: { limit: 65_536 },
    });
    expect(await jobs.complete(task, { data: { big: 'ü'.repeat(32_768) } })).toBe('DATA_TOO_LARGE');
    expect((await handle.get()).data).toEqual({ b: { c: 2 }, d: 'x' });
  });
});
