import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, PolicyChanges, QueueHandle } from '@waybill/client';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;

async function make(policy: PolicyChanges, preset?: string): Promise<QueueHandle> {
  const queue = service.waybill.queue(`policy-${++made}`);
  await queue.define(policy, preset === undefined ? {} : { preset });
  return queue;
}

async function claim(queue: QueueHandle): Promise<ClaimedTask> {
  const [claimedTask] = await queue.claim({ worker: 'w1', waitMs: 60_000 });
  if (!claimedTask) throw new Error(`Expected a task in '${queue.name}', but none came`);
  return claimedTask;
}

const stateOf = async (id: string): Promise<string> => (await service.waybill.task(id).get()).state;

async function settle({ taskId, token }: ClaimedTask, verdict: object): Promise<string> {
  const [settled] = await service.waybill.settle([{ taskId, token, verdict: verdict as never }]);
  return (settled as { state: string }).state;
}

const fail = (claimedTask: ClaimedTask) =>
  settle(claimedTask, { type: 'fail', error: { message: 'no space left', class: 'transient' } });
const complete = (claimedTask: ClaimedTask, step: string) =>
  settle(claimedTask, { type: 'completeStep', step, then: 'continue' });

const AT_ONCE = { kind: 'fixed', baseMs: 0, jitter: 'none' } as const;
const STEPS: PolicyChanges['steps'] = [
  'fetch',
  { name: 'store', onFailure: 'retry', retry: { maxAttempts: 2, backoff: AT_ONCE }, maxLost: 0 },
];

describe('a step with rules of its own', () => {
  it("is shown as it was defined, and its name is among the tasks' steps", async () => {
    const queue = await make({ steps: STEPS });
    expect((await queue.get()).policy.steps).toEqual(STEPS);
    const { id } = await queue.enqueue();
    expect((await service.waybill.task(id).get()).steps).toEqual(['fetch', 'store']);
    expect(await queue.define({ steps: STEPS })).toMatchObject({ outcome: 'kept', differences: [] });
  });

  it('decides what follows a failure in it, and not in another step', async () => {
    const queue = await make({ steps: STEPS });
    await queue.enqueue();
    expect(await fail(await claim(queue))).toBe('failed');
    const { id } = await queue.enqueue();
    const first = await claim(queue);
    await complete(first, 'fetch');
    expect(await fail(first)).toBe('pending');
    const second = await claim(queue);
    expect(second).toMatchObject({ taskId: id, step: 'store' });
    expect(await fail(second)).toBe('failed');
  });

  it('decides what follows a lost lease in it, and not in another step', async () => {
    const queue = await make({ steps: STEPS, leaseMs: 12 * 3_600_000 });
    const [inFetch, inStore] = [await queue.enqueue(), await queue.enqueue()];
    await claim(queue);
    await complete(await claim(queue), 'fetch');
    await service.passTime('13 hours');
    expect([await stateOf(inFetch.id), await stateOf(inStore.id)]).toEqual(['pending', 'failed']);
  });

  it('can be changed for tasks that already run, because they have only the names of steps', async () => {
    const queue = await make({ steps: ['fetch', 'store'] });
    await queue.enqueue();
    const claimedTask = await claim(queue);
    const { policyVersion: ifVersion } = await queue.get();
    await queue.changePolicy({ steps: [{ name: 'fetch', onFailure: 'decide' }, 'store'] }, { ifVersion });
    expect(await fail(claimedTask)).toBe('undecided');
  });
});

describe('a command that the queue offers in some states', () => {
  const OFFERED: PolicyChanges['commands'] = [
    'EnqueueTask',
    'AbortTask',
    { command: 'RetryTask', in: ['failed'] },
    { command: 'CancelTask', in: ['pending'] },
  ];

  it('is carried out in those states, and refused in others', async () => {
    const queue = await make({ commands: OFFERED });
    const { id } = await queue.enqueue();
    const task = service.waybill.task(id);
    await task.cancel();
    await expect(task.retry()).rejects.toMatchObject({
      code: 'COMMAND_NOT_OFFERED',
      status: 409,
      message: expect.stringContaining(
        "Expected a command that the queue offers (enqueue, abort), but got 'retry' for a task that is cancelled",
      ),
      problem: { state: 'cancelled', preset: null, offered: ['EnqueueTask', 'AbortTask'] },
    });
    const { id: another } = await queue.enqueue();
    expect(await fail(await claim(queue))).toBe('failed');
    await service.waybill.task(another).retry();
    expect(await stateOf(another)).toBe('pending');
  });

  it('can be repeated: a command that was already carried out is not refused', async () => {
    const queue = await make({ commands: OFFERED });
    const { id } = await queue.enqueue();
    await service.waybill.task(id).cancel();
    expect(await service.waybill.task(id).cancel()).toMatchObject({ recorded: false });
  });

  it('is listed by `why` only in those states', async () => {
    const queue = await make({ commands: OFFERED });
    const { id } = await queue.enqueue();
    const allowed = async () => (await service.waybill.task(id).why()).allowed;
    expect(await allowed()).toEqual(['CancelTask', 'AbortTask']);
    const claimedTask = await claim(queue);
    expect(await allowed()).toEqual(['AbortTask']);
    await fail(claimedTask);
    expect(await allowed()).toEqual(['RetryTask', 'AbortTask']);
  });

  it('is judged in a transaction by the state after the earlier commands', async () => {
    const queue = await make({ commands: OFFERED });
    const { id } = await queue.enqueue();
    const both = service.waybill.transaction((tx) => {
      tx.task(id).cancel();
      tx.task(id).retry();
    });
    await expect(both).rejects.toMatchObject({ code: 'COMMAND_NOT_OFFERED' });
    expect(await stateOf(id)).toBe('pending');
  });

  it('may be defined by the queue instead of its preset; null offers all', async () => {
    const queue = await make({ commands: ['EnqueueTask'] }, 'archive-files');
    expect((await queue.get()).policy).toMatchObject({ preset: 'archive-files', commands: ['EnqueueTask'] });
    const { id } = await queue.enqueue({}, { key: 'm31.fits' });
    await expect(service.waybill.task(id).abort()).rejects.toMatchObject({ code: 'COMMAND_NOT_OFFERED' });
    const all = await make({ commands: null }, 'archive-files');
    const { id: free } = await all.enqueue({}, { key: 'm31.fits' });
    await service.waybill.task(free).hold();
    expect(await stateOf(free)).toBe('held');
  });

  it('is offered by every instance as soon as the policy says so', async () => {
    const queue = await make({ commands: ['EnqueueTask'] });
    const { id } = await queue.enqueue();
    const other = await service.addInstance();
    await expect(service.waybill.task(id).hold()).rejects.toMatchObject({ code: 'COMMAND_NOT_OFFERED' });
    const offered: PolicyChanges = { commands: [{ command: 'HoldTask', in: ['pending'] }] };
    await other.queue(queue.name).changePolicy(offered, { ifVersion: 1 });
    await service.waybill.task(id).hold();
    expect(await stateOf(id)).toBe('held');
  });
});
