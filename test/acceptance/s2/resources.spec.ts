import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, QueueHandle, TaskHandle } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { inTime } from '../../support/in-time.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { JobQueue } from './job-queue.js';

/** The limit of the state text, and that of the transition text. */
const [FULL, ADEQUATE] = [80, 70];

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Setting {
  readonly queue: QueueHandle;
  readonly storage: string;
}

/** A queue whose jobs wait for working storage before they are provisioned, under two limits. */
async function jobs(limits: readonly number[] = [FULL, ADEQUATE], first = 'Estimating'): Promise<Setting> {
  const storage = `storage-${uuidv7()}`;
  const queue = service.waybill.queue(`jobs-${uuidv7()}`);
  await service.waybill.resources.define(storage, { unit: '%' });
  const needs = limits.map((below) => ({ resource: storage, below }));
  await queue.define({
    steps: [...(first === 'Estimating' ? [first] : []), { name: 'Provisioning', needs }, 'Downloading'],
  });
  return { queue, storage };
}

const use = ({ storage }: Setting, percent: number) => service.as('w1').resources.measure(storage, percent);
const claim = ({ queue }: Setting, waitMs = 0, worker = 'w1'): Promise<readonly ClaimedTask[]> =>
  queue.claim({ worker, max: 10, waitMs });

/** A job that has been estimated, and waits to be provisioned. */
async function estimated(setting: Setting): Promise<TaskHandle> {
  const { id } = await setting.queue.enqueue({});
  const [task] = await claim(setting);
  await completed(task!, 'Estimating');
  return service.waybill.task(id);
}

async function completed({ taskId, token }: ClaimedTask, step: string, then: 'offer' | 'continue' = 'offer') {
  const [result] = await service.waybill.settle([{ taskId, token, verdict: { type: 'completeStep', step, then } }]);
  return result;
}

describe('jobs that may ask for a file system of their own', () => {
  const OWN = ['Estimating', 'Provisioning (dedicated)', 'Downloading'];

  async function choosing(): Promise<Setting & { readonly dedicated: string }> {
    const setting = await jobs([FULL]);
    const dedicated = `dedicated-${uuidv7()}`;
    await service.waybill.resources.define(dedicated);
    const needs = (resource: string, below: number) => [{ resource, below }];
    const steps = [
      'Estimating',
      { name: 'Provisioning', needs: needs(setting.storage, FULL) },
      { name: OWN[1]!, optional: true, needs: needs(dedicated, 2) },
      'Downloading',
    ];
    await setting.queue.changePolicy({ steps }, { ifVersion: 1 });
    return { ...setting, dedicated };
  }

  async function estimatedOf(setting: Setting, steps?: string[]): Promise<TaskHandle> {
    const { id } = await setting.queue.enqueue({}, steps ? { steps } : {});
    const [task] = await setting.queue.claim({ worker: 'w1', steps: ['Estimating'] });
    await completed(task!, 'Estimating');
    return service.waybill.task(id);
  }

  it('S2-38 wait for that if they ask, and for the working storage otherwise', async () => {
    const setting = await choosing();
    const measure = (value: number) => service.as('w1').resources.measure(setting.dedicated, value);
    await use(setting, 90);
    await measure(2);
    const [own, usual] = [await estimatedOf(setting, OWN), await estimatedOf(setting)];
    expect(await claim(setting)).toEqual([]);
    expect((await own.why()).reasons).toMatchObject([{ because: 'resource', resource: setting.dedicated, below: 2 }]);
    expect((await usual.why()).reasons).toMatchObject([{ because: 'resource', resource: setting.storage }]);
    expect((await own.get()).steps).toEqual(OWN);
    expect((await usual.get()).steps).toEqual(['Estimating', 'Provisioning', 'Downloading']);
    const waiting = claim(setting, 30_000);
    await measure(1);
    expect(await waiting).toMatchObject([{ taskId: own.id, step: OWN[1] }]);
    expect(await claim(setting)).toEqual([]);
    await use(setting, 10);
    expect(await claim(setting)).toMatchObject([{ taskId: usual.id, step: 'Provisioning' }]);
  });

  it('S2-38 keep what they asked for when they are tried again, in the order of the policy', async () => {
    const setting = await choosing();
    await service.as('w1').resources.measure(setting.dedicated, 2);
    const job = await estimatedOf(setting, [...OWN].reverse());
    await service.waybill.task(job.id).cancel();
    await job.retry();
    expect(await claim(setting)).toEqual([]);
    expect((await job.why()).reasons).toMatchObject([{ because: 'resource', resource: setting.dedicated }]);
  });

  it('S2-38 are refused if they name a step that the queue does not have, and recognised if they are sent again', async () => {
    const { queue } = await choosing();
    const id = uuidv7();
    await expect(queue.enqueue({}, { steps: ['Estimating', 'Prvisioning'] })).rejects.toMatchObject({
      code: 'STEP_UNKNOWN',
      status: 422,
      data: { step: 'Prvisioning' },
    });
    await queue.enqueue({}, { id, steps: OWN });
    await expect(queue.enqueue({}, { id, steps: ['Estimating'] })).rejects.toMatchObject({ code: 'TASK_EXISTS' });
    expect(await queue.enqueue({}, { id, steps: OWN })).toMatchObject({ id, status: 'existing' });
  });
});

describe('jobs that need working storage', () => {
  it('S2-38 wait while it is more than 80 % full, for a stated reason, and go on when it is not', async () => {
    const setting = await jobs([FULL]);
    await use(setting, 85);
    const job = await estimated(setting);
    expect(await claim(setting)).toEqual([]);
    const [reason, ...others] = (await job.why()).reasons;
    const measured = { value: 85, measuredAt: expect.any(String), never: false };
    expect(reason).toEqual({ because: 'resource', resource: setting.storage, below: FULL, ...measured });
    expect(others).toEqual([]);
    await use(setting, 79.9);
    expect(await claim(setting)).toMatchObject([{ taskId: job.id, step: 'Provisioning', attempt: 2 }]);
  });

  it('S2-38 wait without a worker and without polling: the crossing wakes the claim that waits', async () => {
    // Less than the five seconds after which claims look again without a signal.
    await inTime('a waiting claim to be woken', 4_000, async () => {
      const setting = await jobs();
      await use(setting, 90);
      const job = await estimated(setting);
      const waiting = claim(setting, 30_000);
      await use(setting, 95);
      expect((await job.get()).state).toBe('pending');
      const from = Date.now();
      await use(setting, 50);
      expect(await waiting).toMatchObject([{ taskId: job.id, step: 'Provisioning' }]);
      const passedMs = Date.now() - from;
      expect((await job.get()).attempt).toBe(2);
      return passedMs;
    });
  });

  it('S2-38 record crossings in the log, and no other measure', async () => {
    const setting = await jobs();
    for (const percent of [60, 61, 62, 75, 76, 95, 60]) await use(setting, percent);
    const crossings = [];
    for await (const { type, data } of service.waybill.events({ category: 'resource' }))
      if ((data as { resource: string }).resource === setting.storage)
        crossings.push([type, (data as { value?: number }).value, (data as { limits?: unknown }).limits]);
    expect(crossings.slice(1)).toEqual([
      ['ResourceFree', 60, [ADEQUATE, FULL]],
      ['ResourceShort', 75, [ADEQUATE]],
      ['ResourceShort', 95, [FULL]],
      ['ResourceFree', 60, [ADEQUATE, FULL]],
    ]);
  });

  it('S2-38 leave other jobs to the workers meanwhile', async () => {
    const setting = await jobs();
    await use(setting, 90);
    await estimated(setting);
    const { id } = await setting.queue.enqueue({});
    expect(await claim(setting)).toMatchObject([{ taskId: id, step: 'Estimating' }]);
    const named = { worker: 'w1', max: 10, steps: ['Provisioning', 'Downloading'] };
    expect(await setting.queue.claim(named)).toEqual([]);
    await use(setting, 10);
    expect(await setting.queue.claim(named)).toHaveLength(1);
  });

  it('S2-38 wait while nobody has measured the storage, or not lately', async () => {
    const setting = await jobs();
    const job = await estimated(setting);
    expect((await job.why()).reasons).toMatchObject([{ because: 'resource', value: null }, { because: 'resource' }]);
    expect(await claim(setting)).toEqual([]);
    await use(setting, 10);
    await service.pool.query(`update gauges set measured_at = measured_at - interval '1 hour' where resource = $1`, [
      setting.storage,
    ]);
    expect(await claim(setting)).toEqual([]);
    const waiting = claim(setting, 30_000);
    await use(setting, 10);
    expect(await waiting).toMatchObject([{ taskId: job.id }]);
  });

  it('S2-38 give the job back if its worker would go on without a claim', async () => {
    const setting = await jobs();
    await use(setting, 10);
    await setting.queue.enqueue({});
    const [task] = await claim(setting);
    expect(await completed(task!, 'Estimating', 'continue')).toMatchObject({ state: 'pending' });
    const [provisioned] = await claim(setting);
    expect(await completed(provisioned!, 'Provisioning', 'continue')).toMatchObject({ state: 'running' });
  });

  it('S2-38 end the handler that would go on, and run it again for the step', async () => {
    const setting = await jobs();
    await use(setting, 10);
    const begun: (string | null)[] = [];
    const worker = service.waybill.worker({ name: 'w2' });
    worker.handle(setting.queue.name, async (_, run) => {
      begun.push(run.step);
      if (run.step === 'Estimating') await run.completeStep('Estimating');
      await run.completeStep('Provisioning');
      return run.completeStep('Downloading');
    });
    await worker.start();
    const { id, position } = await setting.queue.enqueue({});
    await service.eventAfter(position, { queue: setting.queue.name, type: 'TaskSucceeded' });
    await worker.stop();
    expect(begun).toEqual(['Estimating', 'Provisioning']);
    expect((await service.waybill.task(id).get()).attempt).toBe(2);
  });

  it('S2-38 wait before their first claim, too, if their first step needs the storage', async () => {
    const setting = await jobs([FULL], 'Provisioning');
    await use(setting, 81);
    const ids = (await setting.queue.enqueueMany([{}, {}, {}])).map((outcome) => (outcome as { id: string }).id);
    expect(await claim(setting)).toEqual([]);
    const view = await service.waybill.resources.get(setting.storage);
    expect(view.needs).toEqual([
      { queue: setting.queue.name, step: 'Provisioning', below: FULL, met: false, waiting: 3 },
    ]);
    await use(setting, 20);
    expect((await claim(setting)).map(({ taskId }) => taskId)).toEqual(ids);
  });

  it('S2-39 wait at 75 % and go on at 69 % with the limits of 80 and 70', async () => {
    const setting = await jobs();
    await use(setting, 75);
    const job = await estimated(setting);
    expect(await claim(setting)).toEqual([]);
    expect((await job.why()).reasons).toMatchObject([{ because: 'resource', below: ADEQUATE, value: 75 }]);
    await use(setting, 69);
    expect(await claim(setting)).toMatchObject([{ taskId: job.id, step: 'Provisioning' }]);
  });

  it('S2-39 go on at 75 % and wait at 85 % with the second limit raised to 90', async () => {
    const setting = await jobs([FULL, 90]);
    await use(setting, 85);
    const job = await estimated(setting);
    expect(await claim(setting)).toEqual([]);
    expect((await job.why()).reasons).toMatchObject([{ because: 'resource', below: FULL, value: 85 }]);
    await use(setting, 75);
    expect(await claim(setting)).toMatchObject([{ taskId: job.id, step: 'Provisioning' }]);
  });

  it('S2-39 wait by both limits of the preset', async () => {
    const preset = await JobQueue.in(service);
    const measure = (percent: number) => service.waybill.resources.measure('storage', percent);
    const estimating = await preset.at('Estimating');
    await preset.complete(estimating);
    const exceeded = async () =>
      (await service.waybill.task(estimating.taskId).why()).reasons.map((reason) =>
        reason.because === 'resource' ? reason.below : reason.because,
      );
    await measure(85);
    expect(await preset.claim()).toBeUndefined();
    expect((await exceeded()).toSorted()).toEqual([ADEQUATE, FULL]);
    await measure(75);
    expect(await preset.claim()).toBeUndefined();
    expect(await exceeded()).toEqual([ADEQUATE]);
    await measure(69);
    expect(await preset.claim()).toMatchObject({ step: 'Provisioning' });
  });

  it('S2-39 obey a limit that the policy changes, at once', async () => {
    const setting = await jobs();
    await use(setting, 75);
    const job = await estimated(setting);
    const waiting = claim(setting, 30_000);
    const steps = [
      'Estimating',
      { name: 'Provisioning', needs: [{ resource: setting.storage, below: FULL }] },
      'Downloading',
    ];
    await setting.queue.changePolicy({ steps }, { ifVersion: 1 });
    expect(await waiting).toMatchObject([{ taskId: job.id }]);
  });

  it('refuse a policy that needs what nobody has defined, and the deletion of what a step needs', async () => {
    const setting = await jobs();
    await expect(service.waybill.resources.delete(setting.storage)).rejects.toMatchObject({
      code: 'RESOURCE_NEEDED',
      problem: { queue: setting.queue.name, step: 'Provisioning' },
    });
    const unknown = { steps: [{ name: 'Provisioning', needs: [{ resource: 'storge', below: 80 }] }] };
    const refusal = { code: 'RESOURCE_NOT_FOUND', problem: { resource: 'storge' } };
    await expect(setting.queue.changePolicy(unknown, { ifVersion: 1 })).rejects.toMatchObject(refusal);
    await expect(service.waybill.queue(`new-${uuidv7()}`).define(unknown)).rejects.toMatchObject(refusal);
    await setting.queue.changePolicy({ steps: ['Estimating'] }, { ifVersion: 1 });
    await service.waybill.resources.delete(setting.storage);
  });

  it('refuse to start a task at once whose first step needs something', async () => {
    const { queue } = await jobs([FULL], 'Provisioning');
    const body = JSON.stringify({ queue: queue.name, worker: 'w1' });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}/v1/tasks/start`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ code: 'START_NOT_ALLOWED', because: 'limited' });
  });
});
