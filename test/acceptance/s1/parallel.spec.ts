import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, HttpTransport, type Task, type Transport } from '@waybill/client';
import { LOG_LOCK } from '../../../src/infrastructure/database/locks.js';
import { killAll } from '../../chaos/child.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { sizeOf } from '../../support/sizes.js';
import { until } from '../../support/until.js';
import { allSucceeded, begunBy, busyness, inStep, startServers, stopServers, taskEvents } from './cluster.js';
import { makeQueue, PATIENT } from './cluster-queues.js';
import { untilEachCameFirst } from './race.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await killAll();
  await service.stop();
});

interface Claim {
  readonly queue: string;
  readonly waitMs: number;
}

/**
 * Runs a worker with one slot for several queues until it has completed `count` tasks, and those that `then` adds.
 * Returns its claims in order.
 */
async function workOff(queues: readonly string[], count: number, then?: () => Promise<void>) {
  const claims: Claim[] = [];
  const http = new HttpTransport({ url: service.url });
  const transport: Transport = {
    open: (operation, input, signal) => http.open(operation, input, signal),
    call: (operation, input, options) => {
      // That of a turn never waits.
      const { waitMs = 0 } = (input.body ?? {}) as Partial<Claim>;
      if (operation === 'claimTasks' || operation === 'takeTurn') claims.push({ queue: input.path!.queue!, waitMs });
      return http.call(operation, input, options);
    },
  };
  const worked: Task[] = [];
  let resolve!: () => void;
  const done = new Promise<void>((end) => (resolve = end));
  const worker = createWaybill({ transport }).worker({ name: 'w1', server: 's1', concurrency: 1, logger: null });
  const all = count + (then ? 1 : 0);
  for (const queue of queues)
    worker.handle(queue, async (task) => {
      worked.push(task);
      if (worked.length === count) await then?.();
      if (worked.length === all) resolve();
    });
  await worker.start();
  await done;
  await worker.stop();
  return { claims, worked, others: worked.length - count };
}

const payloads = (count: number) => Array.from({ length: count }, (_, payload) => ({ payload }));

/** The answers to two claims of which one waits for the log lock and the other one for the first. */
async function heldAtTheLog<T>(claims: () => Promise<T>[]): Promise<T[]> {
  const connection = await service.pool.connect();
  try {
    await connection.query(`begin; select pg_advisory_xact_lock(${LOG_LOCK})`);
    const answers = Promise.all(claims());
    await until('both claims to wait', async () => {
      const { rows } = await service.pool.query<{ n: number }>(
        `select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
         where l.locktype = 'advisory' and not l.granted`,
      );
      return rows[0]!.n >= 2 ? true : null;
    });
    await connection.query('rollback');
    return await answers;
  } finally {
    connection.release(new Error('it may have the log'));
  }
}

describe('a queue with slots on each server', () => {
  it('S1-18 runs N of its tasks on each server, so N times as many as there are servers', async () => {
    const queue = await makeQueue(service.waybill, 'slots', { concurrency: { perServer: 2 } });
    await queue.handle.enqueueMany(payloads(10));
    const on = (server: string, worker = `${server}-a`) => queue.handle.claimResult({ worker, server, max: 5 });
    expect((await on('s1')).tasks).toHaveLength(2);
    const full = await on('s1', 's1-b');
    expect(full).toMatchObject({ tasks: [], refusal: { code: 'SERVER_FULL', server: 's1', running: 2 } });
    const [other] = (await on('s2')).tasks;
    expect(other).toBeDefined();
    await queue.succeed(other!);
    expect((await on('s2')).tasks).toHaveLength(1);
  });

  it('S1-18 can be defined by a number above 0', async () => {
    const queue = await makeQueue(service.waybill, 'slots', { concurrency: 3 });
    expect((await queue.handle.get()).policy.concurrency).toEqual({ perServer: 3 });
  });

  it('S1-18 counts tasks that were already running when the limit was set', async () => {
    const queue = await makeQueue(service.waybill, 'capped');
    await queue.handle.enqueueMany(payloads(5));
    const before = await queue.handle.claim({ worker: 'w1', max: 2 });
    await queue.changePolicy({ maxRunning: 3 });
    expect(await queue.handle.claim({ worker: 'w2', max: 5 })).toHaveLength(1);
    expect(await queue.handle.claimResult({ worker: 'w2' })).toMatchObject({
      tasks: [],
      refusal: { code: 'QUEUE_FULL', running: 3 },
    });
    await queue.succeed(before[0]!);
    expect(await queue.handle.claim({ worker: 'w2', max: 5 })).toHaveLength(1);
  });

  it('S1-19 is skipped without waiting when it is full, and the slot goes to the next queue', async () => {
    const full = await makeQueue(service.waybill, 'full', { concurrency: { perServer: 1 } });
    const next = await makeQueue(service.waybill, 'next');
    await full.handle.enqueueMany(payloads(2));
    await full.handle.claim({ worker: 'busy', server: 's1' });
    await next.handle.enqueueMany(payloads(3));
    const { claims, worked } = await workOff([full.name, next.name], 3);
    expect(worked.map(({ queue }) => queue)).toEqual([next.name, next.name, next.name]);
    expect(claims[0]).toEqual({ queue: full.name, waitMs: 0 });
    expect(claims.slice(1, 4)).toEqual(Array(3).fill({ queue: next.name, waitMs: 0 }));
  });

  it('S1-20 is asked again, alone, when one of its tasks ends, and gives its slot back if it has no more', async () => {
    const [other, queue] = [await makeQueue(service.waybill, 'other'), await makeQueue(service.waybill, 'scanned')];
    await queue.handle.enqueueMany(payloads(3));
    const { claims, others } = await workOff([queue.name, other.name], 3, async () => {
      await other.publish();
    });
    expect(claims.slice(0, 3).map(({ queue: name }) => name)).toEqual([queue.name, queue.name, queue.name]);
    expect(claims[3]).toEqual({ queue: queue.name, waitMs: 0 });
    expect(claims[4]).toMatchObject({ queue: other.name });
    expect(others).toBe(1);
  });

  it('S1-21 gives two servers that claim the same task a task each, without an error', async () => {
    const second = await service.addInstance();
    for (let round = 0; round < 20; round++) {
      const queue = await makeQueue(service.waybill, 'contended', { concurrency: { perServer: 1 } });
      await queue.handle.enqueueMany(payloads(2));
      const claims = await Promise.all([
        queue.handle.claim({ worker: 'w1', server: 's1' }),
        second.queue(queue.name).claim({ worker: 'w2', server: 's2' }),
      ]);
      expect(claims.map(({ length }) => length)).toEqual([1, 1]);
      expect(claims[0]![0]!.taskId).not.toBe(claims[1]![0]!.taskId);
    }
  });

  it.each([
    [1, 'gives the one task there is to one of two servers, and the other nothing and no error'],
    [2, 'gives each of two servers a task at once'],
  ])('S1-21 with %d waiting, %s, where both claim the first task in separate transactions', async (waiting) => {
    const second = await service.addInstance();
    for (let round = 0; round < 10; round++) {
      const queue = await makeQueue(service.waybill, 'raced');
      const ids: string[] = [];
      for (let task = 0; task < waiting; task++) ids.push(await queue.publish(task));
      const claims = await heldAtTheLog(() => [
        queue.handle.claim({ worker: 'w1', server: 's1' }),
        second.queue(queue.name).claim({ worker: 'w2', server: 's2' }),
      ]);
      const taken = claims.flat().map(({ taskId }) => taskId);
      expect(claims.map(({ length }) => length).toSorted()).toEqual([waiting - 1, 1]);
      expect(taken.toSorted()).toEqual(ids.toSorted());
      const types = (await taskEvents(service.waybill, queue.name)).map(({ type }) => type);
      expect(types.filter((type) => type === 'TaskClaimed')).toHaveLength(waiting);
    }
  });

  it('S1-21 starts only a task that still waits: of a concurrent claim and cancellation, one is first', async () => {
    const second = await service.addInstance();
    await untilEachCameFirst(service.pool, 5, async (start) => {
      const queue = await makeQueue(service.waybill, 'raced');
      const [id, other] = [await queue.publish(), await queue.publish()];
      const [claimedTasks] = await start(
        () => queue.handle.claim({ worker: 'w1' }),
        () => second.task(id).cancel({ reason: 'not needed' }),
      );
      const isClaimed = claimedTasks[0]?.taskId === id;
      expect(claimedTasks.map(({ taskId }) => taskId)).toEqual([isClaimed ? id : other]);
      const types = (await service.waybill.task(id).history()).map(({ type }) => type);
      const lived = isClaimed ? ['TaskClaimed', 'TaskCancelRequested'] : ['TaskCancelled'];
      expect(types).toEqual(['TaskEnqueued', ...lived]);
      return isClaimed;
    });
  });

  it('S1-21 has recorded the claim before the handler starts', async () => {
    const queue = await makeQueue(service.waybill, 'visible', { concurrency: { perServer: 1 } });
    const id = await queue.publish();
    const second = await service.addInstance();
    const seen = await new Promise((resolve) => {
      const worker = service.waybill.worker({ name: 'w1', logger: null }).handle(queue.name, async (task) => {
        resolve((await second.task(task.taskId).get()).state);
        void worker.stop();
      });
      void worker.start();
    });
    expect(seen).toBe('running');
    expect(id).toBeDefined();
  });

  it('S1-22 runs every task once, and each of two servers runs some', async () => {
    const [TASKS, SERVERS] = [200, 2];
    const queue = await makeQueue(service.waybill, 'hopping', { concurrency: { perServer: 2 } });
    const servers = await startServers([service.url], queue.name, SERVERS, 4, { paced: true });
    await queue.handle.enqueueMany(payloads(TASKS), PATIENT);
    // Keeps a fast server from completing all tasks before the others start to claim.
    await inStep(servers, TASKS / 8);
    await allSucceeded(service.waybill, queue.name, TASKS);
    await stopServers(servers);
    const begun = servers.map(begunBy);
    expect(new Set(begun.flat()).size).toBe(TASKS);
    expect(begun.flat()).toHaveLength(TASKS);
    for (const share of begun) expect(share.length).toBeGreaterThan(TASKS / 10);
  }, 1_200_000);

  // The last one, because those before it read the whole log.
  const TASKS = sizeOf(300, 100);
  it(`S1-18 may also have a limit for the whole cluster, which is never exceeded: ${TASKS} tasks, 5 processes`, async () => {
    const MAX = 4;
    const queue = await makeQueue(service.waybill, 'capped', { concurrency: { perServer: 2 }, maxRunning: MAX });
    await queue.handle.enqueueMany(payloads(TASKS), PATIENT);
    const servers = await startServers([service.url, await service.addUrl()], queue.name, 5, 5, { paced: true });
    await until(`${MAX} tasks to run`, async () => (servers.flatMap(begunBy).length === MAX ? true : null));
    for (const server of servers) server.hangUp();
    await allSucceeded(service.waybill, queue.name, TASKS);
    await stopServers(servers);
    const { most, mostOnServer } = busyness(await taskEvents(service.waybill, queue.name));
    expect(most).toBe(MAX);
    expect(Math.max(...mostOnServer.values())).toBe(2);
  }, 1_200_000);
});
