import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../../support/running-service.js';
import { untilEachCameFirst } from './race.js';
import { type ClusterQueue, makeQueue, newName, refusalOf } from './cluster-queues.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const make = (name: string, policy = {}): Promise<ClusterQueue> => makeQueue(service.waybill, name, policy);

interface OpenApi {
  readonly components: {
    readonly schemas: { readonly QueueView: { readonly properties: { readonly state: { readonly enum: string[] } } } };
  };
}

describe('the states of a queue', () => {
  it('S1-07 are active, paused, waiting and finished, and each is visible and each change recorded', async () => {
    const first = await make('first');
    const queue = await make('second', { waitsFor: [first.name] });
    const seen = [await queue.state()];
    await first.handle.finish();
    seen.push((await queue.becomes('active')).state);
    for (const change of ['pause', 'resume', 'finish', 'reopen'] as const) {
      await queue.handle[change]();
      seen.push(await queue.state());
    }
    expect(seen).toEqual(['waiting', 'active', 'paused', 'active', 'finished', 'active']);
    expect(await queue.history()).toEqual([
      'QueueDefined',
      'QueueWaiting',
      'QueueActivated',
      'QueuePaused',
      'QueueResumed',
      'QueueFinished',
      'QueueReopened',
    ]);
  });

  it('S1-07 are these four only, and a deleted queue is not found', async () => {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
    expect(document.components.schemas.QueueView.properties.state.enum).toEqual([
      'active',
      'paused',
      'waiting',
      'finished',
    ]);
    const queue = await make('gone');
    await queue.handle.delete();
    expect(await refusalOf(queue.handle.get())).toMatchObject({ code: 'QUEUE_NOT_FOUND', status: 404 });
    for await (const { name } of service.waybill.queues()) expect(name).not.toBe(queue.name);
    expect(await queue.history()).toEqual(['QueueDefined', 'QueueDeleted']);
  });

  it('S1-07 are shown in the list of queues', async () => {
    const first = await make('first');
    const second = await make('second', { waitsFor: [first.name] });
    const listed = new Map<string, unknown>();
    for await (const view of service.waybill.queues()) listed.set(view.name, view);
    expect(listed.get(first.name)).toMatchObject({ state: 'active' });
    expect(listed.get(second.name)).toMatchObject({ state: 'waiting', waitingFor: [first.name] });
  });
});

describe('a paused queue', () => {
  it('S1-08 gives out no task until it is resumed', async () => {
    const queue = await make('paused');
    const id = await queue.publish();
    await queue.handle.pause({ reason: 'maintenance' });
    expect(await queue.claim()).toBeNull();
    await queue.handle.resume();
    expect(await queue.take()).toMatchObject({ taskId: id });
  });

  it('S1-08 gives out no task if it is serial, not even the task of a consumer that stopped suddenly', async () => {
    const queue = await make('serial', { concurrency: 0, takeoverSeconds: 1 });
    const [lost] = [await queue.publish(), await queue.publish()];
    await queue.take('w1');
    await queue.handle.pause();
    await service.passTime('13 hours');
    for (const worker of ['w2', 'w3', 'w2']) expect(await queue.claim(worker)).toBeNull();
    const claims = (await service.waybill.task(lost).history()).filter(({ type }) => type === 'TaskClaimed');
    expect(claims).toHaveLength(1);
    await queue.handle.resume();
    const next = await queue.take('w2');
    expect(next).toMatchObject({ taskId: lost, attempt: 2 });
    await queue.handle.pause();
    await queue.succeed(next);
    expect(await queue.claim('w2')).toBeNull();
  });

  it('S1-08 was paused by a failure, and shows it', async () => {
    const queue = await make('careful', { pauseAfterFailures: 1 });
    const failing = await queue.publish();
    await queue.publish();
    await queue.fail(await queue.take(), 'no space left');
    // No task is given out between the failure and the pause.
    expect(await queue.claim()).toBeNull();
    const { pause } = await queue.becomes('paused');
    expect(pause).toMatchObject({
      reason: 'an attempt failed',
      failure: { taskId: failing, message: 'no space left', class: 'application' },
    });
    await queue.handle.resume();
    expect(await queue.take()).not.toMatchObject({ taskId: failing });
    expect(await queue.state()).toBe('active');
  });

  it('S1-08 was paused after as many consecutive failures as its policy allows, and not after fewer', async () => {
    const queue = await make('careful', { pauseAfterFailures: 2, onFailure: 'retry' });
    for (let task = 0; task < 6; task++) await queue.publish(task);
    await queue.fail(await queue.take());
    await queue.succeed(await queue.take());
    await queue.fail(await queue.take());
    expect(await queue.state()).toBe('active');
    const claimedTask = await queue.take();
    await queue.fail(claimedTask, 'the second in a row');
    const { pause } = await queue.becomes('paused');
    expect(pause!.failure).toMatchObject({ taskId: claimedTask.taskId, message: 'the second in a row' });
    await queue.handle.resume();
    await queue.fail(await queue.take());
    expect(await queue.claim()).not.toBeNull();
  });

  it.each(['before', 'after'])(
    'S1-08 counts failures only after its resumption: a failure %s it in one transaction',
    async (side) => {
      const queue = await make('careful', { pauseAfterFailures: 2 });
      for (let task = 0; task < 3; task++) await queue.publish(task);
      const [first, second] = [await queue.take(), await queue.take()];
      await queue.handle.pause();
      await service.waybill.transaction((tx) => {
        if (side === 'after') tx.queue(queue.name).resume();
        const { taskId, token } = first;
        tx.settle({ taskId, token, verdict: { type: 'fail', error: { message: 'no space left' } } });
        if (side === 'before') tx.queue(queue.name).resume();
      });
      await queue.fail(second);
      expect((await queue.claim()) === null).toBe(side === 'after');
    },
  );

  it('S1-08 becomes waiting when it is resumed while another queue is unfinished, and otherwise active', async () => {
    const first = await make('first');
    const second = await make('second', { waitsFor: [first.name] });
    await second.handle.pause();
    expect(await second.state()).toBe('paused');
    await second.handle.resume();
    expect(await second.state()).toBe('waiting');
    await second.handle.pause();
    await first.handle.finish();
    expect(await second.state()).toBe('paused');
    await second.handle.resume();
    expect(await second.state()).toBe('active');
  });
});

describe('a waiting queue', () => {
  it('S1-09 gives out no task, and becomes active when the other queue is finished', async () => {
    const first = await make('first');
    const second = await make('second', { waitsFor: [first.name] });
    const id = await second.publish();
    expect(await second.claim()).toBeNull();
    await first.handle.finish();
    expect(await second.take()).toMatchObject({ taskId: id });
  });

  it('S1-09 waits for the last of several queues, along a chain', async () => {
    const firsts = [await make('first'), await make('first')];
    const second = await make('second', { waitsFor: firsts.map(({ name }) => name) });
    const third = await make('third', { waitsFor: [second.name] });
    await firsts[1]!.handle.finish();
    expect(await second.handle.get()).toMatchObject({ state: 'waiting', waitingFor: [firsts[0]!.name] });
    await firsts[0]!.handle.finish();
    await second.becomes('active');
    expect(await third.state()).toBe('waiting');
    await second.handle.finish();
    await third.becomes('active');
  });

  it('S1-09 starts and stops waiting when its policy is changed', async () => {
    const [first, second] = [await make('first'), await make('second')];
    const id = await second.publish();
    await second.changePolicy({ waitsFor: [first.name] });
    expect(await second.claim()).toBeNull();
    await second.changePolicy({ waitsFor: [] });
    expect(await second.take()).toMatchObject({ taskId: id });
  });

  it('S1-06 does not wait forever if the other queue finishes at the same moment, whichever commits first', async () => {
    const others = await service.addInstance();
    await untilEachCameFirst(service.pool, 10, async (start) => {
      const [first, second] = [await make('first'), await make('second')];
      await start(
        () => first.handle.finish(),
        () => others.queue(second.name).changePolicy({ waitsFor: [first.name] }, { ifVersion: 1 }),
      );
      await second.becomes('active');
      const history = await second.history();
      const hasWaited = history.includes('QueueWaiting');
      const waits = hasWaited ? ['QueueWaiting', 'QueueActivated'] : [];
      expect(history).toEqual(['QueueDefined', 'QueuePolicyChanged', ...waits]);
      return !hasWaited;
    });
  });

  it('S1-06 S1-09 waits only if the change of its policy was committed before the other queue finished', async () => {
    const [first, second, third] = [await make('first'), await make('second'), await make('third')];
    await second.changePolicy({ waitsFor: [first.name] });
    await first.handle.finish();
    await second.becomes('active');
    expect(await second.history()).toEqual(['QueueDefined', 'QueuePolicyChanged', 'QueueWaiting', 'QueueActivated']);
    await third.changePolicy({ waitsFor: [first.name] });
    expect(await third.history()).toEqual(['QueueDefined', 'QueuePolicyChanged']);
    expect(await third.state()).toBe('active');
  });
});

describe('the state "finished"', () => {
  it('S1-10 is reached without a command if the queue is finite, its intake is closed and its tasks have ended', async () => {
    const queue = await make('finite', { finite: true, onFailure: 'decide' });
    const tasks = [await queue.publish(), await queue.publish(), await queue.publish()];
    await queue.handle.closeIntake();
    const steps: (() => Promise<unknown>)[] = [
      async () => queue.succeed(await queue.take()),
      async () => queue.fail(await queue.take()),
      async () => queue.succeed(await queue.take()),
      () => queue.waybill.task(tasks[1]!).decide('fail'),
    ];
    for (const step of steps) {
      expect(await queue.state()).toBe('active');
      await step();
    }
    await queue.becomes('finished');
    expect(await queue.history()).toEqual(['QueueDefined', 'QueueIntakeClosed', 'QueueFinished']);
  });

  it.each(['waiting', 'running', 'undecided'])('S1-10 is not reached while a task is %s', async (state) => {
    const queue = await make('finite', { finite: true, onFailure: 'decide' });
    await queue.publish();
    if (state !== 'waiting') {
      const claimedTask = await queue.take();
      if (state === 'undecided') await queue.fail(claimedTask);
    }
    const { position } = await queue.handle.closeIntake();
    const sentinel = await make('sentinel', { finite: true });
    await sentinel.handle.closeIntake();
    // The sweeper has looked at this queue too after its intake was closed.
    await sentinel.becomes('finished');
    expect(BigInt((await queue.handle.get({ minPosition: position })).position)).toBe(BigInt(position));
    expect(await queue.state()).toBe('active');
    expect(await refusalOf(queue.handle.finish())).toMatchObject({ code: 'QUEUE_NOT_EMPTY' });
  });

  it('S1-10 is reached only by a command if the queue is not finite', async () => {
    const queue = await make('endless');
    await queue.handle.closeIntake();
    const sentinel = await make('sentinel', { finite: true });
    await sentinel.handle.closeIntake();
    await sentinel.becomes('finished');
    expect(await queue.state()).toBe('active');
    await queue.handle.finish();
    expect(await queue.state()).toBe('finished');
  });

  it('S1-10 makes the queue refuse new tasks, and the refusal says to reopen it first', async () => {
    const queue = await make('finished');
    await queue.handle.finish();
    const refusal = await refusalOf(queue.handle.enqueue({}));
    expect(refusal).toMatchObject({ code: 'QUEUE_FINISHED', status: 409 });
    expect(refusal.message).toContain('reopen it first');
    await queue.handle.reopen();
    await queue.publish();
  });
});

describe('queues that would wait for each other', () => {
  it('S1-11 are refused, along a chain and for a queue that would wait for itself', async () => {
    const [a, b] = [await make('a'), await make('b')];
    const c = await make('c', { waitsFor: [b.name] });
    await b.changePolicy({ waitsFor: [a.name] });
    const refusal = await refusalOf(a.changePolicy({ waitsFor: [c.name] }));
    expect(refusal).toMatchObject({ code: 'QUEUES_WAIT_IN_CYCLE', status: 409 });
    expect(refusal.problem).toMatchObject({ cycle: [a.name, c.name, b.name] });
    const self = newName('self');
    expect(await refusalOf(service.waybill.queue(self).define({ waitsFor: [self] }))).toMatchObject({
      code: 'QUEUES_WAIT_IN_CYCLE',
    });
  });

  it('S1-11 are refused if both halves of the cycle are configured at the same time', async () => {
    const others = await service.addInstance();
    for (let round = 0; round < 20; round++) {
      const [a, b] = [await make('a'), await make('b')];
      const halves = await Promise.allSettled([
        a.handle.changePolicy({ waitsFor: [b.name] }, { ifVersion: 1 }),
        others.queue(b.name).changePolicy({ waitsFor: [a.name] }, { ifVersion: 1 }),
      ]);
      const refused = halves.flatMap((half) => (half.status === 'rejected' ? [half.reason as unknown] : []));
      expect(refused).toEqual([expect.objectContaining({ code: 'QUEUES_WAIT_IN_CYCLE' })]);
    }
  });

  it('S1-11 keep the awaited queue from being deleted', async () => {
    const first = await make('first');
    const second = await make('second', { waitsFor: [first.name] });
    const refusal = await refusalOf(first.handle.delete());
    expect(refusal).toMatchObject({ code: 'QUEUE_AWAITED', status: 409, problem: { by: second.name } });
    await second.handle.delete();
    await first.handle.delete();
  });

  it('S1-11 cannot wait for a queue that does not exist', async () => {
    const name = newName('second');
    expect(await refusalOf(service.waybill.queue(name).define({ waitsFor: ['nowhere'] }))).toMatchObject({
      code: 'AWAITED_QUEUE_NOT_FOUND',
      status: 422,
    });
  });
});
