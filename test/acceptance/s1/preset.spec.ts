import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../../support/running-service.js';
import { ClusterQueue, newName, refusalOf } from './cluster-queues.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function makeClusterQueue(): Promise<ClusterQueue> {
  const handle = service.waybill.queue(newName('tasks'));
  await handle.define({}, { preset: 'cluster-tasks' });
  return new ClusterQueue(service.waybill, handle);
}

const stateOf = async (id: string): Promise<string> => (await service.waybill.task(id).get()).stateName;

/** One task in each of the preset's states, by the state's name. */
async function oneOfEach(queue: ClusterQueue): Promise<Record<string, string>> {
  const [succeeded, undecided, failed, running] = [
    await queue.publish(),
    await queue.publish(),
    await queue.publish(),
    await queue.publish(),
  ];
  await queue.succeed(await queue.take());
  await queue.fail(await queue.take());
  await queue.fail(await queue.take());
  await service.as('olga').task(failed).decide('fail');
  await queue.take();
  return { SUCCEEDED: succeeded, ERROR: undecided, FAILED: failed, RUNNING: running, WAITING: await queue.publish() };
}

describe('the preset of cluster tasks', () => {
  it('S1-27 has the states WAITING, RUNNING, SUCCEEDED, ERROR and FAILED, and no others', async () => {
    const queue = await makeClusterQueue();
    const tasks = await oneOfEach(queue);
    for (const [name, id] of Object.entries(tasks)) expect([name, await stateOf(id)]).toEqual([name, name]);
    const { preset, vocabulary } = (await queue.handle.get()).policy;
    expect(preset).toBe('cluster-tasks');
    expect(new Set(Object.values(vocabulary!))).toEqual(new Set(Object.keys(tasks)));
    const listed = [];
    for await (const { stateName } of service.waybill.tasks.list({ queue: queue.name })) listed.push(stateName);
    expect(listed.toSorted()).toEqual(Object.keys(tasks).toSorted());
  });

  it('S1-27 enqueues tasks in the state WAITING only', async () => {
    const queue = await makeClusterQueue();
    for (const options of [{ prepared: true }, { hold: {} }]) {
      expect(await refusalOf(queue.handle.enqueue({}, options))).toMatchObject({ code: 'COMMAND_NOT_OFFERED' });
    }
  });

  it('S1-28 leaves an undecided task unchanged until a decision', async () => {
    const queue = await makeClusterQueue();
    const id = await queue.publish();
    await queue.fail(await queue.take(), 'no space left');
    expect(await queue.claim()).toBeNull();
    await service.passTime('400 days');
    expect(await queue.claim()).toBeNull();
    expect(await service.waybill.task(id).get()).toMatchObject({
      stateName: 'ERROR',
      error: { message: 'no space left' },
    });
  });

  /** Completes another task of the key, and waits for the reactions to it. */
  async function succeedWith(queue: ClusterQueue, key: string): Promise<void> {
    const { id, status } = await queue.handle.enqueue({}, { key });
    expect(status).toBe('enqueued');
    const claimedTask = await queue.take();
    expect(claimedTask.taskId).toBe(id);
    const { position } = await queue.succeed(claimedTask);
    await service.caughtUp('clear-failures-on-success', position);
  }

  /** Adds a task of the key whose one attempt failed. */
  async function addUndecided(queue: ClusterQueue, key: string): Promise<string> {
    const { id } = await queue.handle.enqueue({}, { key });
    await queue.fail(await queue.take(), 'no space left');
    return id;
  }

  const lastOf = async (id: string): Promise<string> => (await service.waybill.task(id).history()).at(-1)!.type;

  it('S1-28 leaves an undecided task unchanged whatever happens to others with its key', async () => {
    const queue = await makeClusterQueue();
    const undecided = await addUndecided(queue, 'k');
    await succeedWith(queue, 'k');
    const another = await addUndecided(queue, 'k');
    await succeedWith(queue, 'k');
    await service.passTime('400 days');
    expect(await queue.claim()).toBeNull();
    for (const id of [undecided, another]) {
      expect([await stateOf(id), await lastOf(id)]).toEqual(['ERROR', 'TaskDecisionRequested']);
      expect(await service.waybill.task(id).get()).toMatchObject({ error: { message: 'no space left' } });
    }
    await service.waybill.task(undecided).decide('retry');
    expect(await queue.take()).toMatchObject({ taskId: undecided, attempt: 2 });
    expect(await stateOf(another)).toBe('ERROR');
  });

  it('S1-29 decides on retry or failure, and records who decided', async () => {
    const queue = await makeClusterQueue();
    const ids = [await queue.publish(), await queue.publish()];
    for (const _ of ids) await queue.fail(await queue.take());
    await service.as('olga').task(ids[0]!).decide('retry');
    await service.as('otto').task(ids[1]!).decide('fail');
    expect(await Promise.all(ids.map(stateOf))).toEqual(['WAITING', 'FAILED']);
    const last = async (id: string) => (await service.waybill.task(id).history()).at(-1);
    expect(await last(ids[0]!)).toMatchObject({ type: 'TaskRetried', data: { by: 'olga' } });
    expect(await last(ids[1]!)).toMatchObject({ type: 'TaskFailed', data: { decidedBy: 'otto' } });
  });

  it('S1-29 records the policy if that decides', async () => {
    const handle = service.waybill.queue(newName('tasks'));
    await handle.define({ onFailure: 'fail' }, { preset: 'cluster-tasks' });
    const queue = new ClusterQueue(service.waybill, handle);
    const id = await queue.publish();
    await queue.fail(await queue.take());
    expect((await service.waybill.task(id).history()).at(-1)).toMatchObject({ data: { decidedBy: 'policy' } });
  });

  it('S1-29 offers no abort, deletion, cancellation or hold in any state', async () => {
    const queue = await makeClusterQueue();
    const tasks = await oneOfEach(queue);
    for (const [name, id] of Object.entries(tasks)) {
      const task = service.waybill.task(id);
      for (const command of [() => task.abort(), () => task.delete(), () => task.cancel(), () => task.hold()]) {
        const refusal = await refusalOf(command());
        expect(refusal).toMatchObject({ code: 'COMMAND_NOT_OFFERED', status: 409, problem: { state: name } });
      }
      expect(await stateOf(id)).toBe(name);
    }
  });

  it('S1-30 keeps a failed task failed: its retry is refused, and the refusal names the state', async () => {
    const queue = await makeClusterQueue();
    const { FAILED: failed } = await oneOfEach(queue);
    const refusal = await refusalOf(service.waybill.task(failed!).retry());
    expect(refusal).toMatchObject({ code: 'COMMAND_NOT_OFFERED', problem: { state: 'FAILED', command: 'RetryTask' } });
    expect(refusal.message).toContain('FAILED');
    expect(await refusalOf(service.waybill.task(failed!).decide('retry'))).toMatchObject({
      code: 'ILLEGAL_TRANSITION',
    });
    await service.passTime('400 days');
    expect(await stateOf(failed!)).toBe('FAILED');
  });

  it('S1-30 keeps a failed task failed whatever happens to others with its key', async () => {
    const queue = await makeClusterQueue();
    const failed = await addUndecided(queue, 'k');
    await service.as('olga').task(failed).decide('fail');
    await succeedWith(queue, 'k');
    const undecided = await addUndecided(queue, 'k');
    await succeedWith(queue, 'k');
    await service.passTime('400 days');
    expect(await queue.claim()).toBeNull();
    expect([await stateOf(failed), await lastOf(failed)]).toEqual(['FAILED', 'TaskFailed']);
    expect(await stateOf(undecided)).toBe('ERROR');
    expect(await service.waybill.task(failed).get()).toMatchObject({ error: { message: 'no space left' } });
  });
});

describe('a preset', () => {
  it('for archive files retries failed tasks, and has its own names for states', async () => {
    const handle = service.waybill.queue(newName('files'));
    await handle.define({}, { preset: 'archive-files' });
    const queue = new ClusterQueue(service.waybill, handle);
    const { id } = await handle.enqueue({}, { key: 'm31.fits' });
    await queue.fail(await queue.take());
    expect(await stateOf(id)).toBe('failed');
    await service.waybill.task(id).retry();
    const claimedTask = await queue.take();
    expect(await stateOf(id)).toBe('in progress');
    await queue.succeed(claimedTask);
    expect(await stateOf(id)).toBe('removed');
  });

  it('that does not exist is refused', async () => {
    const refused = service.waybill.queue(newName('tasks')).define({}, { preset: 'robots' });
    expect(await refusalOf(refused)).toMatchObject({ code: 'PRESET_NOT_FOUND', status: 422 });
  });

  it('is optional: without one, a state has its standard name', async () => {
    const handle = service.waybill.queue(newName('plain'));
    await handle.define();
    const { id } = await handle.enqueue();
    expect(await stateOf(id)).toBe('pending');
  });
});
