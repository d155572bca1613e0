import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PolicyChanges } from '@waybill/client';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;

async function make(policy: PolicyChanges = {}) {
  const queue = service.waybill.queue(`why-${++made}`);
  await queue.define(policy);
  return queue;
}

const why = (id: string) => service.waybill.task(id).why();

describe('why a task is not running', () => {
  it('is that no worker asked yet, and its rank says when it is its turn', async () => {
    const queue = await make();
    const ids = [];
    for (const priority of [0, 5, 0]) ids.push((await queue.enqueue({}, { priority })).id);
    expect(await why(ids[0]!)).toMatchObject({ state: 'pending', reasons: [{ because: 'worker' }], rank: 2 });
    expect((await why(ids[1]!)).rank).toBe(1);
    expect((await why(ids[2]!)).rank).toBe(3);
  });

  it('may be its own time, or its hold', async () => {
    const queue = await make();
    const until = '2999-01-01T00:00:00.000Z';
    const due = await queue.enqueue({}, { dueAt: until });
    expect(await why(due.id)).toMatchObject({ reasons: [{ because: 'due', until }], rank: null });
    const held = await queue.enqueue();
    await service.as('olga').task(held.id).hold({ reason: 'not before the audit' });
    expect((await why(held.id)).reasons).toEqual([{ because: 'held', by: 'olga', reason: 'not before the audit' }]);
  });

  it('may be the task of its key that has the turn', async () => {
    const queue = await make();
    const first = await queue.enqueue({}, { key: 'k' });
    await queue.claim({ worker: 'w1' });
    const second = await queue.enqueue({}, { key: 'k' });
    expect((await why(second.id)).reasons).toEqual([{ because: 'key', key: 'k', taskId: first.id }]);
    expect((await why(first.id)).reasons).toEqual([{ because: 'state', state: 'running' }]);
  });

  it('may be a failure of its key, and the task that comes before it', async () => {
    const queue = await make({ duplicatePending: 'allow', onKeyFailure: 'block' });
    const first = await queue.enqueue({}, { key: 'k' });
    const [grant] = await queue.claim({ worker: 'w1' });
    const error = { message: 'no space left' };
    const { taskId, token } = grant!;
    await service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error } }]);
    const second = await queue.enqueue({}, { key: 'k' });
    const blocked = { because: 'key-failure', key: 'k', taskId: first.id, state: 'failed' };
    expect((await why(second.id)).reasons).toEqual([blocked]);
    await service.waybill.task(first.id).retry();
    expect((await why(second.id)).reasons).toEqual([{ because: 'key', key: 'k', taskId: first.id }]);
  });

  it('may be its queue, beside reasons of its own', async () => {
    const awaited = await make();
    const waiting = await make({ waitsFor: [awaited.name] });
    const until = '2999-01-01T00:00:00.000Z';
    const { id } = await waiting.enqueue({}, { dueAt: until });
    expect((await why(id)).reasons).toEqual([
      { because: 'due', until },
      { because: 'queue-waiting', queues: [awaited.name] },
    ]);
    const paused = await make();
    const task = await paused.enqueue();
    await service.as('otto').queue(paused.name).pause({ reason: 'we move' });
    expect((await why(task.id)).reasons).toEqual([
      { because: 'queue-paused', by: 'otto', reason: 'we move', until: null, failure: null },
    ]);
  });

  it.each([
    ['serial', { concurrency: 'serial' }],
    ['perServer', { concurrency: { perServer: 1 } }],
    ['maxRunning', { maxRunning: 1 }],
  ] as const)('may be the tasks that have the slots: %s', async (limit, policy) => {
    const queue = await make(policy);
    const first = await queue.enqueue();
    const second = await queue.enqueue();
    await queue.claim({ worker: 'w1', server: 's1' });
    expect((await queue.claimResult({ worker: 'w2', server: 's1' })).tasks).toEqual([]);
    expect(await why(second.id)).toMatchObject({
      reasons: [{ because: 'no-slot', limit, running: [{ taskId: first.id, worker: 'w1', server: 's1' }] }],
      rank: 1,
    });
  });

  it('is asked of a task that is there', async () => {
    await expect(why('019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });
});
