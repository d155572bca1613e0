import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask } from '@waybill/client';
import { explained } from '@waybill/client/words';
import { killAll } from '../../chaos/child.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { sizeOf } from '../../support/sizes.js';
import { until } from '../../support/until.js';
import { allSucceeded, begunBy, busyness, startServers, stopServers, taskEvents } from './cluster.js';
import { type ClusterQueue, databaseTime, makeQueue, newName, PATIENT, refusalOf } from './cluster-queues.js';

const SERIAL = { concurrency: 0, takeoverSeconds: 1 } as const;
/** The delay of a takeover on a very busy machine. Without `takeoverSeconds`, it would come after a usual lease of 30 seconds. */
const GRACE_MS = 20_000;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await killAll();
  await service.stop();
});

const makeSerial = (): Promise<ClusterQueue> => makeQueue(service.waybill, 'serial', SERIAL);

interface Taking {
  readonly type: string;
  readonly data: Record<string, unknown>;
  /** By the database's clock. */
  readonly at: number;
}

/** The events of the queue's consumer. */
async function takings(queue: ClusterQueue): Promise<Taking[]> {
  const events: Taking[] = [];
  for await (const { type, data, recordedAt } of queue.waybill.events({ queue: queue.name, category: 'consumer' }))
    events.push({ type, data: data as Record<string, unknown>, at: Date.parse(recordedAt) });
  return events;
}

describe('a serial queue', () => {
  it('S1-12 is shown by name, and 0 is an alias for it', async () => {
    const queue = await makeSerial();
    expect((await queue.handle.get()).policy).toMatchObject({ concurrency: 'serial', takeoverSeconds: 1 });
    await service.waybill.queue(queue.name).define({ ...SERIAL, concurrency: 'serial' });
  });

  it('S1-13 gives another consumer no task, names the current one, and changes no task', async () => {
    const queue = await makeQueue(service.waybill, 'serial', { concurrency: 0 });
    const ids = [await queue.publish(), await queue.publish(), await queue.publish()];
    const [held] = await queue.handle.claim({ worker: 'w1', server: 's1' });
    const revisions = await Promise.all(ids.map(async (id) => (await service.waybill.task(id).get()).revision));
    const { tasks, refusal } = await queue.handle.claimResult({ worker: 'w2', server: 's2', max: 10 });
    expect(tasks).toEqual([]);
    expect(refusal).toMatchObject({
      code: 'QUEUE_HELD',
      consumer: { worker: 'w1', server: 's1', taskId: held!.taskId, until: held!.deadline },
    });
    expect(refusal!.detail).toContain(`worker 'w1' on server 's1' works on task '${held!.taskId}'`);
    expect(await Promise.all(ids.map(async (id) => (await service.waybill.task(id).get()).revision))).toEqual(
      revisions,
    );
    // The consumer does not get a second one either.
    expect(await queue.handle.claimResult({ worker: 'w1', server: 's1' })).toMatchObject({ tasks: [] });
  });

  it('S1-13 gives a task to a waiting consumer as soon as it is free', async () => {
    const queue = await makeQueue(service.waybill, 'serial', { concurrency: 0 });
    const ids = [await queue.publish(), await queue.publish()];
    const first = await queue.take('w1');
    const waiting = queue.take('w2');
    await queue.succeed(first);
    expect(await waiting).toMatchObject({ taskId: ids[1] });
    expect((await takings(queue)).map(({ type, data }) => [type, data.epoch, data.worker])).toEqual([
      ['QueueTaken', 1, 'w1'],
      ['QueueTaken', 2, 'w2'],
    ]);
  });

  it("S1-14 S1-15 is taken over when its consumer stops suddenly, and that consumer's task is reset first and runs next", async () => {
    const queue = await makeSerial();
    const lost = await queue.publish();
    const [held] = await queue.handle.claim({ worker: 'w1', server: 's1' });
    await queue.handle.enqueue('more urgent', { priority: 9 });
    const next = await queue.take('w2');
    expect(next).toMatchObject({ taskId: lost, attempt: 2 });
    expect(held!.leaseMs).toBe(SERIAL.takeoverSeconds * 1_000);
    const [, over] = await takings(queue);
    expect(over).toMatchObject({
      type: 'QueueTakenOver',
      data: { epoch: 2, worker: 'w2', from: { taskId: lost, worker: 'w1', server: 's1' } },
    });
    const late = over!.at - Date.parse(held!.deadline);
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThanOrEqual(GRACE_MS);
    const events = (await taskEvents(service.waybill, queue.name)).filter(({ stream }) => stream === `task-${lost}`);
    expect(events.map(({ type }) => type)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskLeaseExpired', 'TaskClaimed']);
    expect(events[2]!.envelope.actor).toBe('w2');
    await queue.succeed(next);
    expect(await queue.take('w2')).toMatchObject({ payload: 'more urgent' });
  });

  it.each([1, 3])(
    'S1-14 is taken over by another process when that of its consumer dies, at most %d s after its last heartbeat',
    async (takeoverSeconds) => {
      const queue = await makeQueue(service.waybill, 'serial', { concurrency: 0, takeoverSeconds });
      const lost = await queue.publish();
      const servers = await startServers([service.url, await service.addUrl()], queue.name, 2, 1, { paced: true });
      const consumer = await Promise.race(servers.map((server) => server.told(/^began/).then(() => server)));
      const [other] = servers.filter((server) => server !== consumer);
      await consumer.kill();
      const died = await databaseTime(service.pool);
      await other!.told(new RegExp(`^began ${lost}`));
      const [taken, over] = await takings(queue);
      expect([taken!.type, over!.type]).toEqual(['QueueTaken', 'QueueTakenOver']);
      expect(over!.data).toMatchObject({ epoch: 2, from: { taskId: lost, server: taken!.data.server } });
      expect(over!.at - died).toBeLessThanOrEqual(takeoverSeconds * 1_000 + GRACE_MS);
      for (const server of servers) server.hangUp();
      await allSucceeded(service.waybill, queue.name, 1);
      await stopServers([other!]);
    },
  );

  it('S1-15 resets a task only up to the limit of lost attempts', async () => {
    const queue = await makeQueue(service.waybill, 'serial', { ...SERIAL, maxLost: 0 });
    const lost = await queue.publish();
    const other = await queue.publish();
    await queue.take('w1');
    expect(await queue.take('w2')).toMatchObject({ taskId: other });
    expect(await service.waybill.task(lost).get()).toMatchObject({ state: 'failed' });
  });

  describe('whose consumer vanished and from which nobody claims', () => {
    it('S1-15 loses its task all the same, and what waits for the task goes on', async () => {
      const queue = await makeQueue(service.waybill, 'serial', { ...SERIAL, maxLost: 0 });
      const lost = await queue.publish();
      await queue.take('w1');
      const other = await queue.publish();
      const { data } = await service.eventAfter('0', { queue: queue.name, type: 'TaskFailed' });
      expect(data).toMatchObject({ error: { class: 'lost' } });
      expect(await service.waybill.task(lost).get()).toMatchObject({ state: 'failed', attempt: 1 });
      expect((await service.waybill.task(other).why()).reasons).toEqual([
        expect.objectContaining({ because: 'worker' }),
      ]);
      expect(await takings(queue)).toMatchObject([
        { type: 'QueueTaken', data: { epoch: 1, worker: 'w1' } },
        { type: 'QueueTakenOver', data: { epoch: 2, worker: 'sweeper', from: { taskId: lost, worker: 'w1' } } },
      ]);
      expect(await queue.take('w2')).toMatchObject({ taskId: other });
    });

    it('S1-15 says so until then: whose lease is over since when, and when the queue is taken over at the latest', async () => {
      const { running, waiting } = await until('a lease to be over and not yet taken over', leaseOver);
      const over = { because: 'lease-over', worker: 'w1', since: running.since, until: running.until };
      expect(running.reasons).toEqual([expect.objectContaining({ because: 'state', worker: 'w1' }), over]);
      expect(Date.parse(running.until!)).toBeGreaterThan(Date.parse(running.since!));
      expect(waiting.reasons).toEqual([
        expect.objectContaining({ because: 'no-slot', limit: 'serial' }),
        { ...over, taskId: running.taskId },
      ]);
      expect(explained(running)[1]).toBe(
        `The lease of w1 has been over since ${running.since}. The next worker that claims takes the queue over, and otherwise the service does, by ${running.until}.`,
      );
      expect(explained(waiting)[1]).toMatch(`The lease of w1 for task ${running.taskId} has been over since`);
    });

    /** Between the end of a lease and its takeover; null if this machine was too slow to see it. */
    async function leaseOver() {
      const queue = await makeQueue(service.waybill, 'serial', { concurrency: 0 });
      const [lost, other] = [await queue.publish(), await queue.publish()];
      await queue.take('w1');
      expect((await service.waybill.task(lost).why()).reasons).toHaveLength(1);
      await service.pool.query('update leases set deadline = now() where queue = $1', [queue.name]);
      const [running, waiting] = [await service.waybill.task(lost).why(), await service.waybill.task(other).why()];
      const over = running.reasons.find(({ because }) => because === 'lease-over');
      const seen = over && waiting.reasons.some(({ because }) => because === 'lease-over');
      return seen ? { running: { ...running, since: over.since, until: over.until }, waiting } : null;
    }

    it('S1-15 S1-17 gives the next worker the lost task first, and records late reports', async () => {
      const queue = await makeSerial();
      const lost = await queue.publish();
      const old = await queue.take('w1');
      await queue.handle.enqueue('more urgent', { priority: 9 });
      await service.eventAfter('0', { queue: queue.name, type: 'TaskLeaseExpired' });
      expect(await refusalOf(queue.succeed(old))).toMatchObject({ code: 'LEASE_LOST' });
      expect((await takings(queue)).at(-1)).toMatchObject({
        type: 'QueueLateReportRefused',
        data: { worker: 'sweeper', from: { taskId: lost, worker: 'w1' }, reset: { taskId: lost } },
      });
      const again = await queue.take('w2');
      expect(again).toMatchObject({ taskId: lost, attempt: 2 });
      await queue.succeed(again);
      expect(await queue.take('w2')).toMatchObject({ payload: 'more urgent' });
      expect((await takings(queue)).map(({ type, data: { epoch, worker } }) => [type, epoch, worker])).toEqual([
        ['QueueTaken', 1, 'w1'],
        ['QueueTakenOver', 2, 'sweeper'],
        ['QueueLateReportRefused', 2, 'sweeper'],
        ['QueueTaken', 3, 'w2'],
      ]);
    });
  });

  it('S1-16 reports more than one running task as an anomaly, and resets none of them', async () => {
    const queue = await makeQueue(service.waybill, 'parallel');
    for (let task = 0; task < 3; task++) await queue.publish(task);
    const claimedTasks = await queue.handle.claim({ worker: 'w1', max: 2 });
    await queue.changePolicy({ concurrency: 'serial', takeoverSeconds: 1 });
    const refused = await queue.handle.claimResult({ worker: 'w2' });
    expect(refused).toMatchObject({ tasks: [], refusal: { code: 'QUEUE_CONFLICTED' } });
    await queue.handle.claimResult({ worker: 'w3' });
    const found = await takings(queue);
    expect(found).toMatchObject([
      {
        type: 'QueueAnomalyFound',
        data: {
          queue: queue.name,
          epoch: 0,
          running: claimedTasks.map(({ taskId, token }) => ({
            taskId,
            token: token.split('.')[0],
            worker: 'w1',
            server: 'w1',
          })),
        },
      },
    ]);
    for (const { taskId } of claimedTasks)
      expect(await service.waybill.task(taskId).get()).toMatchObject({ state: 'running' });
    for (const claimedTask of claimedTasks) await queue.succeed(claimedTask);
    expect(await queue.take('w2')).not.toBeNull();
  });

  it('S1-16 resets none of several running tasks even after their leases, because their workers may still report', async () => {
    const queue = await makeQueue(service.waybill, 'parallel');
    for (let task = 0; task < 3; task++) await queue.publish(task);
    const claimedTasks = await queue.handle.claim({ worker: 'w1', max: 2 });
    await queue.changePolicy({ concurrency: 'serial', takeoverSeconds: 1 });
    await service.passTime('13 hours');
    for (const worker of ['w2', 'w3'])
      expect(await queue.handle.claimResult({ worker })).toMatchObject({
        tasks: [],
        refusal: { code: 'QUEUE_CONFLICTED', running: claimedTasks.map(({ taskId }) => ({ taskId, worker: 'w1' })) },
      });
    expect((await takings(queue)).map(({ type }) => type)).toEqual(['QueueAnomalyFound']);
    const types = (await taskEvents(service.waybill, queue.name)).map(({ type }) => type);
    expect(types.filter((type) => type !== 'TaskEnqueued')).toEqual(['TaskClaimed', 'TaskClaimed']);
    await queue.succeed(claimedTasks[0]!);
    // One is left, which may be taken over.
    expect(await queue.take('w2')).toMatchObject({ taskId: claimedTasks[1]!.taskId, attempt: 2 });
  });

  it.each(['succeed', 'fail'] as const)(
    'S1-17 refuses the reports of the old consumer that resumes up to %s after the takeover, and records it',
    async (type) => {
      const queue = await makeSerial();
      await queue.publish();
      const old = await queue.take('w1');
      const present = await queue.take('w2');
      const settle = (claimedTask: ClaimedTask) =>
        type === 'succeed' ? queue.succeed(claimedTask) : queue.fail(claimedTask, 'too late to matter');
      expect(await refusalOf(settle(old))).toMatchObject({ code: 'LEASE_LOST' });
      expect(await service.waybill.task(old.taskId).get()).toMatchObject({ state: 'running', worker: 'w2' });
      expect((await takings(queue)).at(-1)).toMatchObject({
        type: 'QueueLateReportRefused',
        data: { epoch: 2, worker: 'w2', from: { taskId: old.taskId, worker: 'w1' }, report: type },
      });
      await settle(present);
    },
  );

  it("S1-17 refuses the old consumer's heartbeat", async () => {
    const queue = await makeSerial();
    await queue.publish();
    const old = await queue.take('w1');
    await queue.take('w2');
    expect(await service.waybill.extend([old].map(({ taskId, token }) => ({ taskId, token })))).toEqual([
      { taskId: old.taskId, kind: 'lost' },
    ]);
    expect((await takings(queue)).at(-1)).toMatchObject({ type: 'QueueLateReportRefused', data: { report: 'extend' } });
  });

  it('S1-15 S1-17 gives out its tasks in order, whatever the consumer of a reset task reports late', async () => {
    const queue = await makeSerial();
    const reset = await queue.publish();
    const old = await queue.take('w1');
    const again = await queue.take('w2');
    expect(again.taskId).toBe(reset);
    const urgent = (await queue.handle.enqueue(undefined, { priority: 1 })).id;
    await queue.settle(again, { type: 'return' });
    await expect(queue.succeed(old)).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect((await takings(queue)).at(-1)).toMatchObject({ type: 'QueueLateReportRefused' });
    expect((await queue.take('w2')).taskId).toBe(urgent);
  });

  it('S1-12 refuses any other name', async () => {
    for (const concurrency of [-1, 1.5, { perServer: 0 }, 'one', { perServer: 1, more: 2 }]) {
      const refused = service.waybill.queue(newName('serial')).define({ concurrency } as never);
      expect(await refusalOf(refused)).toMatchObject({ status: 400 });
    }
  });

  // The last one, because those before it read the whole log.
  const [TASKS, PROCESSES] = [sizeOf(1_000, 100), 5];
  it(`S1-12 has one consumer in the whole cluster at any time, over ${TASKS} tasks and ${PROCESSES} processes`, async () => {
    const queue = await makeQueue(service.waybill, 'serial', { concurrency: 'serial' });
    await queue.handle.enqueueMany(
      Array.from({ length: TASKS }, (_, payload) => ({ payload })),
      PATIENT,
    );
    const servers = await startServers([service.url, await service.addUrl()], queue.name, PROCESSES, 3);
    await allSucceeded(service.waybill, queue.name, TASKS);
    await stopServers(servers);
    const events = await taskEvents(service.waybill, queue.name);
    expect(events.filter(({ type }) => type === 'TaskClaimed')).toHaveLength(TASKS);
    expect(busyness(events).most).toBe(1);
    expect(servers.flatMap(begunBy)).toHaveLength(TASKS);
    const epochs = (await takings(queue)).map(({ data }) => data.epoch);
    expect(epochs).toEqual(epochs.map((_, index) => index + 1));
  }, 1_200_000);
});
