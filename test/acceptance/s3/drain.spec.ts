import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventView, Handler, QueueHandle, TaskHandle, TaskStatus, Worker } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

const WHY = { reason: 'version 2 is being deployed' };

let service: RunningService;
const workers: Worker[] = [];
const queue = (): QueueHandle => service.waybill.queue('ingest');
beforeEach(async () => {
  service = await startService();
  await queue().define({ leaseMs: 3_000, onCancel: 'fail' });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await service.stop();
});

async function work(handler: Handler, concurrency = 8): Promise<void> {
  const worker = service.waybill.worker({ name: 'w1', logger: null, concurrency }).handle(queue(), handler);
  workers.push(worker);
  await worker.start();
}

/** Runs until it is told to stop. */
const untilStopped: Handler = (_, run) =>
  new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)));

const states = async (ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await service.waybill.task(id).get()).state));

const become = (ids: readonly string[], state: string): Promise<true> =>
  until(`${ids.length} tasks to be ${state}`, async () =>
    (await states(ids)).every((one) => one === state) ? true : null,
  );

async function enqueue(count: number): Promise<string[]> {
  const outcomes = await queue().enqueueMany(Array.from({ length: count }, () => ({})));
  return outcomes.map((outcome) => ('id' in outcome ? outcome.id : ''));
}

const toldToStop = (id: string): Promise<true> =>
  until('the shutdown to ask', async () => {
    const history = await service.waybill.task(id).history();
    return history.some(({ type }) => type === 'TaskCancelRequested') || null;
  });

/** A task whose worker never says anything. */
async function leftBehind(leaseMs: number): Promise<string> {
  const brief = service.waybill.queue(`brief-${leaseMs}`);
  await brief.define({ leaseMs });
  const { id } = await brief.enqueue();
  await brief.claim({ worker: 'gone', max: 1 });
  return id;
}

/** The drain once it is recorded that nothing runs any more. */
const quiet = () =>
  until('nothing to run', async () => {
    const { drain } = await service.waybill.system.getDrain();
    return drain?.quiescedAt ? drain : null;
  });

async function quiescences(): Promise<EventView[]> {
  const events: EventView[] = [];
  for await (const event of service.waybill.system.history({ type: 'SystemQuiesced' })) events.push(event);
  return events;
}

/** Resolves after the sweeper has ended a lease, so after the second time it has done a whole round. */
async function sweepAway(worker: string): Promise<void> {
  const brief = service.waybill.queue(worker.replace(' ', '-'));
  await brief.define({ leaseMs: 1_000 });
  const { id } = await brief.enqueue();
  await brief.claim({ worker, max: 1 });
  await become([id], 'pending');
}

describe('a drain', () => {
  it('S3-05 asks all running tasks to stop at once, and says when none runs any more', async () => {
    const ids = await enqueue(5);
    await work(untilStopped);
    await become(ids, 'running');
    await service.waybill.system.drain({ running: 'cancel', ...WHY });
    await become(ids, 'cancelled');
    expect(await service.waybill.system.get()).toMatchObject({
      state: 'draining',
      drain: { running: 'cancel', intake: 'closed', by: 'anonymous', ...WHY },
      running: 0,
      runningInternal: 0,
      stopped: 5,
      stoppedInternal: 0,
    });
    const history = await service.waybill.task(ids[0]!).history();
    expect(history.find(({ type }) => type === 'TaskCancelRequested')?.envelope).toMatchObject(WHY);
  });

  it('S3-05 lets running tasks finish if it is told to, and starts no others', async () => {
    const [running, waiting] = await enqueue(2);
    const [claimed] = await queue().claim({ worker: 'w1', max: 1 });
    expect(claimed!.taskId).toBe(running);
    await service.waybill.system.drain(WHY);
    expect(await queue().claim({ worker: 'w2', max: 10 })).toEqual([]);
    expect((await service.waybill.task(waiting!).why()).reasons).toEqual([
      { because: 'draining', by: 'anonymous', ...WHY },
    ]);
    await service.waybill.settle([
      { taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'succeed', result: null } },
    ]);
    expect(await service.waybill.system.get()).toMatchObject({ running: 0, stopped: 0 });
    const next = queue().claim({ worker: 'w2', max: 1, waitMs: 30_000 });
    await service.waybill.system.resume();
    expect((await next)[0]?.taskId).toBe(waiting);
  });

  it('S3-05 records once a drain that nothing runs any more', async () => {
    const [id] = await enqueue(1);
    const [claimed] = await queue().claim({ worker: 'w1', max: 1, leaseMs: 600_000 });
    const left = [await leftBehind(1_000), await leftBehind(2_500)];
    await service.waybill.system.drain(WHY);
    // The sweeper ends each of these leases, so it has done a whole round in between.
    await become(left, 'pending');
    expect((await service.waybill.system.getDrain()).drain).toMatchObject({ quiescedAt: null });
    const ended = await service.waybill.settle([
      { taskId: id!, token: claimed!.token, verdict: { type: 'succeed', result: null } },
    ]);
    const { quiescedAt } = await quiet();
    await service.waybill.system.drain(WHY);
    const quiesced = await quiescences();
    expect(quiesced).toMatchObject([{ data: { at: quiescedAt }, envelope: { actor: 'sweeper' } }]);
    expect(BigInt(quiesced[0]!.position)).toBeGreaterThan(BigInt((ended[0] as { position: string }).position));
    await service.waybill.system.resume();
    await service.waybill.system.drain(WHY);
    await quiet();
    expect(await quiescences()).toHaveLength(2);
  });

  it('S3-05 lets a trigger make a task of its end, which waits until the system is resumed', async () => {
    await service.waybill.trigger('quiet').define({
      event: { types: ['SystemQuiesced'] },
      task: { queue: 'ingest', kind: 'told' },
    });
    await service.waybill.system.drain({ intake: 'open' });
    const task = await until('the task of the end', async () => {
      const { items } = await service.waybill.tasks.page({ queue: 'ingest' });
      return items[0] ?? null;
    });
    expect(await queue().claim({ worker: 'w1', max: 1 })).toEqual([]);
    await service.waybill.system.resume();
    const [claimed] = await queue().claim({ worker: 'w1', max: 1, waitMs: 30_000 });
    expect([claimed!.taskId, claimed!.payload]).toEqual([
      task.id,
      { event: expect.objectContaining({ type: 'waybill.SystemQuiesced' }) },
    ]);
  });

  it('S3-06 refuses new tasks everywhere and tells submitters why, whatever the tasks are', async () => {
    const { id: known } = await queue().enqueue('known');
    await service.waybill.system.drain(WHY);
    const other = await service.addInstance();
    const refused = { code: 'DRAINING', status: 409, problem: { by: 'anonymous', ...WHY } };
    for (const more of [
      {},
      { key: 'a' },
      { reference: 'r' },
      { hold: {} },
      { prepared: true },
      { after: [{ task: known }] },
    ])
      await expect(other.queue('ingest').enqueue('x', more)).rejects.toMatchObject(refused);
    const [outcome] = await other.queue('ingest').enqueueMany([{ key: 'b' }]);
    expect(outcome).toMatchObject({ problem: { code: 'DRAINING' } });
    const inTransaction = other.transaction((tx) => void tx.queue('ingest').enqueue('x'));
    await expect(inTransaction).rejects.toMatchObject({ code: 'DRAINING' });
    await expect(other.functions({ queue: 'ingest' }).task('x:y', () => undefined)()).rejects.toMatchObject({
      code: 'DRAINING',
    });
    expect(await other.queue('ingest').enqueue('known', { id: known })).toMatchObject({ status: 'existing' });
    await service.waybill.system.resume();
    await other.queue('ingest').enqueue('x');
  });

  it('S3-06 may keep the intake open', async () => {
    await service.waybill.system.drain({ intake: 'open' });
    await enqueue(1);
    expect(await queue().claim({ worker: 'w1', max: 1 })).toEqual([]);
  });
});

describe('a deployment in the middle of an ingest', () => {
  const did: string[] = [];

  /** The third step waits until it is told to stop, the first time. */
  const ingest: Handler = async (task, run) => {
    const { name } = task.payload as { readonly name: string };
    if (name === 'third' && task.attempt === 1) await untilStopped(task, run);
    did.push(name);
  };

  it.each([
    ['one action', (): Promise<unknown> => service.waybill.system.resume()],
    ['a setting of the start', (): Promise<unknown> => service.restart({ resumeStopped: true })],
  ])('S3-07 resumes exactly what it stopped, by %s, and repeats nothing', async (_, resume) => {
    did.length = 0;
    const { ids } = await chain(['first', 'second', 'third', 'fourth']);
    const { id: failed } = await queue().enqueue({ name: 'cancelled before' });
    await service.waybill.task(failed).cancel();
    await work(ingest, 1);
    await become(ids.slice(2, 3), 'running');
    await service.waybill.system.drain({ running: 'cancel', ...WHY });
    await become(ids.slice(2, 3), 'cancelled');
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await service.restart();
    expect(await service.waybill.system.get()).toMatchObject({ state: 'draining', running: 0, stopped: 1 });
    await resume();
    await work(ingest, 1);
    await become(ids, 'succeeded');
    expect(did).toEqual(['first', 'second', 'third', 'fourth']);
    expect(await states([failed])).toEqual(['cancelled']);
    await until('the system to have nothing left to resume', async () =>
      (await service.waybill.system.get()).stopped === 0 ? true : null,
    );
  });

  it('S3-07 says which tasks it cannot resume while another waits for their key, and resumes them afterwards', async () => {
    const { id } = await queue().enqueue('first', { key: 'tape' });
    await work(untilStopped);
    await become([id], 'running');
    await service.waybill.system.drain({ intake: 'open', running: 'cancel' });
    await become([id], 'cancelled');
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    const second = await queue().enqueue('second', { key: 'tape' });
    await service.waybill.system.resume();
    expect(await service.waybill.system.get()).toMatchObject({ stopped: 1, notResumed: 1 });
    expect(await states([id])).toEqual(['cancelled']);
    await work(async () => undefined);
    await become([id, second.id], 'succeeded');
    expect(await service.waybill.system.get()).toMatchObject({ stopped: 0, notResumed: 0 });
  });

  it('S3-07 given a worker that is shut down itself, its tasks are resumed by the same action', async () => {
    const [id] = await enqueue(1);
    const [claimed] = await queue().claim({ worker: 'w1', max: 1 });
    const verdict = { type: 'cancel', reason: 'the process stopped' } as const;
    await service.waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict }]);
    await become([id!], 'cancelled');
    expect(await service.waybill.system.get()).toMatchObject({ state: 'running', stopped: 1 });
    await service.waybill.system.resume();
    await become([id!], 'pending');
    expect(await service.waybill.system.get()).toMatchObject({ stopped: 0 });
  });

  it.each<[string, (task: TaskHandle) => Promise<unknown>, TaskStatus]>([
    // What the queue makes of a run that a person cancels.
    ['stop', (task) => task.cancel({ reason: 'wrong tape' }), 'failed'],
    ['pause', (task) => task.hold({ reason: 'wrong tape' }), 'held'],
  ])('S3-07 leaves alone what a person asked to %s just before the shutdown', async (_, ask, state) => {
    const [byPerson, byShutdown] = await enqueue(2);
    const claimed = await queue().claim({ worker: 'w1', max: 2 });
    await ask(service.waybill.task(byPerson!));
    await service.waybill.system.drain({ running: 'cancel', ...WHY });
    await toldToStop(byShutdown!);
    const verdict = { type: 'confirmCancel' } as const;
    await service.waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict })));
    await become([byShutdown!], 'cancelled');
    await become([byPerson!], state);
    expect(await service.waybill.system.get()).toMatchObject({ stopped: 1 });
    await service.waybill.system.resume();
    await become([byShutdown!], 'pending');
    expect(await states([byPerson!])).toEqual([state]);
    const asked = (await service.waybill.task(byPerson!).history()).filter(
      ({ type }) => type === 'TaskCancelRequested',
    );
    expect(asked.map(({ envelope }) => envelope.reason)).toEqual(['wrong tape']);
  });

  it('S3-07 leaves alone what a person cancels after the shutdown has asked it to stop, or stopped it', async () => {
    await queue().define({ leaseMs: 60_000, onCancel: 'cancel' }, { replace: true });
    const [asked, stopped, byShutdown] = await enqueue(3);
    const claimed = await queue().claim({ worker: 'w1', max: 3 });
    await service.waybill.system.drain({ running: 'cancel', ...WHY });
    for (const id of [asked!, stopped!, byShutdown!]) await toldToStop(id);
    await service.waybill.task(asked!).cancel({ reason: 'wrong tape' });
    const verdict = { type: 'confirmCancel' } as const;
    await service.waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict })));
    await become([stopped!, byShutdown!], 'cancelled');
    expect((await service.waybill.task(stopped!).cancel({ reason: 'wrong tape' })).recorded).toBe(true);
    expect(await service.waybill.system.get()).toMatchObject({ stopped: 1 });
    await service.waybill.system.resume();
    await become([byShutdown!], 'pending');
    expect(await states([asked!, stopped!])).toEqual(['cancelled', 'cancelled']);
  });

  it('S3-07 resumes the others, however many stopped tasks wait for the place of their key', async () => {
    await queue().define({ leaseMs: 600_000 }, { replace: true });
    // One more than the sweeper looks at in one round.
    const keyed = Array.from({ length: 501 }, (_, at) => ({ key: `k${at}` }));
    const stop = async (count: number): Promise<void> => {
      const claimed = await queue().claim({ worker: 'w1', max: count });
      const verdict = { type: 'cancel', reason: 'the process stopped' } as const;
      await service.waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict })));
    };
    await queue().enqueueMany(keyed);
    for (let left = keyed.length; left > 0; left -= 100) await stop(Math.min(left, 100));
    await queue().enqueueMany(keyed);
    const { id: free } = await queue().enqueue('free', { priority: 1 });
    await stop(1);
    await service.waybill.system.resume();
    await become([free], 'pending');
    expect(await service.waybill.system.get()).toMatchObject({ stopped: 501, notResumed: 501 });
  });

  it('S3-07 leaves what is stopped after the system was resumed to the next time', async () => {
    await service.waybill.system.resume();
    const [id] = await enqueue(1);
    const [claimed] = await queue().claim({ worker: 'w1', max: 1 });
    const verdict = { type: 'cancel', reason: 'the process stopped' } as const;
    await service.waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict }]);
    for (const worker of ['lost', 'lost again']) await sweepAway(worker);
    expect(await states([id!])).toEqual(['cancelled']);
    await service.waybill.system.resume();
    await become([id!], 'pending');
  });

  it('S3-07 leaves stopped tasks alone if it is told to, and resumes them later', async () => {
    const [id] = await enqueue(1);
    await work(untilStopped);
    await become([id!], 'running');
    await service.waybill.system.drain({ running: 'cancel' });
    await become([id!], 'cancelled');
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await service.waybill.system.resume({ stopped: false });
    const [next] = await queue()
      .enqueue('next')
      .then(() => queue().claim({ worker: 'w2', max: 2 }));
    expect(next!.payload).toBe('next');
    expect(await service.waybill.system.get()).toMatchObject({ state: 'running', stopped: 1 });
    await service.waybill.system.resume();
    await become([id!], 'pending');
  });

  async function chain(names: readonly string[]): Promise<{ readonly ids: string[] }> {
    const ids: string[] = [];
    for (const name of names) {
      const after = ids.slice(-1).map((task) => ({ task }));
      ids.push((await queue().enqueue({ name }, { after })).id);
    }
    return { ids };
  }
});
