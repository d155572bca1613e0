import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { SettleItem, Transaction, Waybill } from '@waybill/client';
import { inTransaction } from '../../../src/infrastructure/database/transaction.js';
import { inTime } from '../../support/in-time.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { ClusterQueue, databaseTime, makeQueue, newName, refusalOf } from './cluster-queues.js';

let service: RunningService;
let embedded: Waybill;
beforeAll(async () => {
  service = await startService();
  embedded = await service.embed();
});
afterAll(() => service.stop());

const PATIENCE_MS = 60_000;
/** Before a waiting claim looks again without a wake-up, which happens every five seconds. */
const KICK_MS = 4_000;

/** A transaction with every kind of command that a service gives, and one that is refused at its end. */
describe.each(['over HTTP', 'in process'])('a transaction %s', (way) => {
  const waybill = () => (way === 'in process' ? embedded : service.waybill);
  const stateOf = async (id: string) => (await service.waybill.task(id).get()).state;
  /**
   * The position of the last event of the queues and their tasks. Unrelated events, such as the end of a lease, do not
   * count.
   */
  const lastPosition = async (...queues: readonly ClusterQueue[]) => {
    let last = 0n;
    for (const { name } of queues)
      for await (const { position } of service.waybill.events({ queue: name }))
        if (BigInt(position) > last) last = BigInt(position);
    return String(last);
  };
  const all = async (...names: string[]) => Promise.all(names.map((name) => makeQueue(service.waybill, name)));

  it('S1-01 records commands of every kind together, and none is visible before', async () => {
    const [orders, mail] = (await all('orders', 'mail')) as [ClusterQueue, ClusterQueue];
    const ids = { cancelled: await orders.publish(), held: await orders.publish(), amended: await orders.publish() };
    const running = await mail.publish();
    const claimedTask = await mail.take();
    let published = '';
    const { results, position } = await waybill().transaction(async (tx) => {
      published = tx.queue(orders.name).enqueue({ order: 1 }, { hold: { reason: 'not yet' } });
      tx.task(published).release();
      tx.task(ids.cancelled).cancel({ reason: 'by and by' });
      tx.task(ids.held).hold();
      tx.task(ids.amended).amend({ order: 2 });
      tx.queue(mail.name).closeIntake({ reason: 'enough' });
      tx.settle({ taskId: claimedTask.taskId, token: claimedTask.token, verdict: { type: 'succeed' } });
      // The commands were only collected: nothing is visible while the unit of work is open.
      await expect(service.waybill.task(published).get()).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
      expect(await stateOf(running)).toBe('running');
    });
    expect(results.map(({ id }) => id)).toEqual([published, published, ...Object.values(ids), mail.name, running]);
    expect(position).toBe(await lastPosition(orders, mail));
    expect(await Promise.all([published, ...Object.values(ids), running].map(stateOf))).toEqual([
      'pending',
      'cancelled',
      'held',
      'pending',
      'succeeded',
    ]);
    expect((await mail.handle.get()).intake).toMatchObject({ open: false, reason: 'enough' });
  });

  it('S1-01 leaves nothing behind if it is rolled back or one of its commands is refused', async () => {
    const [orders, mail] = (await all('orders', 'mail')) as [ClusterQueue, ClusterQueue];
    const waiting = await orders.publish();
    const before = await lastPosition(orders, mail);
    const refused = await refusalOf(
      waybill().transaction((tx) => {
        tx.queue(mail.name).enqueue('lost');
        tx.task(waiting).cancel();
        tx.task(uuidv7()).hold();
        tx.queue(orders.name).enqueue('lost');
      }),
    );
    expect(refused).toMatchObject({ code: 'TASK_NOT_FOUND', status: 404, data: { index: 2 } });
    const rolledBack = waybill().transaction((tx) => {
      tx.queue(mail.name).enqueue('lost');
      throw new Error('the caller thinks again');
    });
    await expect(rolledBack).rejects.toThrow('the caller thinks again');
    expect(await lastPosition(orders, mail)).toBe(before);
    expect(await stateOf(waiting)).toBe('pending');
    expect(await mail.claim()).toBeNull();
  });

  it('S1-01 defines, changes, finishes and deletes queues, and none of it is visible before', async () => {
    const [old, orders] = (await all('old', 'orders')) as [ClusterQueue, ClusterQueue];
    const fresh = newName('fresh');
    const last = await old.publish();
    await orders.publish();
    const claimedTask = await orders.take();
    let first = '';
    const { results, position } = await waybill().transaction(async (tx) => {
      tx.queue(fresh).define(
        { waitsFor: [orders.name], defaultPriority: 4 },
        { description: 'made with its first task' },
      );
      first = tx.queue(fresh).enqueue('first');
      tx.task(last).cancel();
      tx.queue(old.name).delete();
      tx.queue(orders.name).changePolicy({ onFailure: 'decide' }, { ifVersion: 1 });
      tx.settle({ taskId: claimedTask.taskId, token: claimedTask.token, verdict: { type: 'succeed' } });
      tx.queue(orders.name).finish();
      await expect(service.waybill.queue(fresh).get()).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
      expect(await Promise.all([old.state(), orders.state()])).toEqual(['active', 'active']);
    });
    const names = [fresh, first, last, old.name, orders.name, claimedTask.taskId, orders.name];
    expect(results.map(({ id, recorded }) => [id, recorded])).toEqual(names.map((name) => [name, true]));
    const made = new ClusterQueue(service.waybill, service.waybill.queue(fresh));
    expect(position).toBe(await lastPosition(old, orders));
    await expect(old.handle.get()).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
    expect(await orders.handle.get()).toMatchObject({ state: 'finished', policy: { onFailure: 'decide' } });
    // It began to wait before the other queue was finished.
    expect(await made.take()).toMatchObject({ taskId: first, priority: 4 });
    expect(await made.history()).toEqual(['QueueDefined', 'QueueWaiting', 'QueueActivated']);
  });

  interface Obstacles {
    /** A queue that has a task with a key and a reference. */
    readonly full: string;
    /** A queue for which another one waits. */
    readonly awaited: string;
    /** A settlement of an attempt under a wrong secret. */
    readonly forged: SettleItem;
  }

  it.each<[string, string, (tx: Transaction, given: Obstacles) => unknown]>([
    ['QUEUE_NOT_EMPTY', 'a queue to be finished has an open task', (tx, { full }) => tx.queue(full).finish()],
    ['QUEUE_NOT_EMPTY', 'a queue to be deleted has an open task', (tx, { full }) => tx.queue(full).delete()],
    ['QUEUE_AWAITED', 'another queue waits for one to be deleted', (tx, { awaited }) => tx.queue(awaited).delete()],
    ['KEY_ALREADY_WAITING', 'a key waits already', (tx, { full }) => tx.queue(full).enqueue('again', { key: 'k' })],
    [
      'REFERENCE_IN_USE',
      'a reference is in use',
      (tx, { full }) => tx.queue(full).enqueue('again', { reference: 'r' }),
    ],
    ['LEASE_LOST', 'a claim is not the one that stands', (tx, { forged }) => tx.settle(forged)],
  ])('S1-01 leaves nothing behind if it is refused at its commit: %s, because %s', async (code, _, refuses) => {
    const full = await makeQueue(service.waybill, 'full', { duplicatePending: 'refuse', uniqueReference: 'always' });
    await full.handle.enqueue('first', { key: 'k', reference: 'r' });
    const [awaited] = (await all('awaited')) as [ClusterQueue];
    // The claim must still stand when the test looks at it again, however slow the machine is.
    const orders = await makeQueue(service.waybill, 'orders', { leaseMs: 3_600_000 });
    const waiting = await makeQueue(service.waybill, 'waiting', { waitsFor: [awaited.name] });
    await orders.publish();
    const { taskId, token } = await orders.take();
    const forged: SettleItem = { taskId, token: token.replace(/\..*/, `.${uuidv7()}`), verdict: { type: 'succeed' } };
    const before = await lastPosition(full, awaited, orders, waiting);
    const fresh = newName('fresh');
    const refused = await refusalOf(
      waybill().transaction((tx) => {
        tx.queue(fresh).define();
        tx.queue(fresh).enqueue('lost');
        tx.queue(orders.name).enqueue('lost');
        tx.queue(orders.name).changePolicy({ defaultPriority: 4 }, { ifVersion: 1 });
        refuses(tx, { full: full.name, awaited: awaited.name, forged });
        tx.queue(orders.name).pause();
      }),
    );
    expect(refused).toMatchObject({ code, data: { index: 4 } });
    expect(await lastPosition(full, awaited, orders, waiting)).toBe(before);
    await expect(service.waybill.queue(fresh).get()).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
    expect(await orders.handle.get()).toMatchObject({ state: 'active', policyVersion: 1 });
    expect(await orders.claim()).toBeNull();
    expect(await stateOf(taskId)).toBe('running');
  });

  it('S1-01 is carried out once, however many concurrent requests repeat it', async () => {
    const [orders] = (await all('orders')) as [ClusterQueue];
    const id = await orders.publish();
    await orders.fail(await orders.take());
    const idempotencyKey = uuidv7();
    const repeat = () => waybill().transaction((tx) => tx.task(id).retry(), { idempotencyKey });
    const answers = await Promise.all(Array.from({ length: 10 }, repeat));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const types = (await service.waybill.task(id).history()).map(({ type }) => type);
    expect(types.filter((type) => type === 'TaskRetried')).toHaveLength(1);
  });

  it('S1-03 wakes workers after its commit, and not if it is refused', () =>
    inTime('a worker to have the task', KICK_MS, async () => {
      const [orders, mail] = (await all('orders', 'mail')) as [ClusterQueue, ClusterQueue];
      return listeningForKicks(async (kicks) => {
        const waiting = mail.handle.claim({ worker: 'w1', waitMs: PATIENCE_MS });
        const refused = waybill().transaction((tx) => {
          tx.queue(orders.name).enqueue('never');
          tx.task(uuidv7()).cancel();
        });
        await refusalOf(refused);
        await hasLooked(mail);
        let id = '';
        await waybill().transaction(async (tx) => {
          id = tx.queue(mail.name).enqueue('now');
          await hasLooked(mail);
          expect(kicks.queues).not.toContain(mail.name);
        });
        expect((await waiting).map(({ taskId }) => taskId)).toEqual([id]);
        await kicks.heard(mail.name);
        expect(kicks.queues).not.toContain(orders.name);
        return waitedMs(id);
      });
    }));

  it('S1-05 contains only the commands of callers that ask for it', async () => {
    const [orders] = (await all('orders')) as [ClusterQueue];
    let alone = '';
    const refused = waybill().transaction(async (tx) => {
      tx.queue(orders.name).enqueue('inside');
      alone = (await waybill().queue(orders.name).enqueue('outside')).id;
      tx.task(uuidv7()).cancel();
    });
    await refusalOf(refused);
    expect((await orders.take()).taskId).toBe(alone);
    expect(await orders.claim()).toBeNull();
  });
});

interface Kicks {
  /** The queues that processes of the service reported to each other as ready. */
  readonly queues: readonly string[];
  heard(queue: string): Promise<true>;
}

async function listeningForKicks<T>(work: (kicks: Kicks) => Promise<T>): Promise<T> {
  const connection = await service.pool.connect();
  const queues: string[] = [];
  connection.client.on('notification', ({ payload }) => {
    queues.push(...((JSON.parse(payload!) as { queues?: string[] }).queues ?? []));
  });
  const heard = (queue: string) => until(`a kick for '${queue}'`, async () => (queues.includes(queue) ? true : null));
  try {
    await connection.query('listen waybill');
    return await work({ queues, heard });
  } finally {
    connection.release(new Error('it listened'));
  }
}

it.each(['over HTTP', 'in process'])(
  'S1-03 an enqueue %s without a transaction wakes a waiting worker, which starts while the caller’s unit of work is open',
  async (way) => {
    const queue = await makeQueue(service.waybill, 'kick');
    const begun = new Begun();
    const worker = service.waybill
      .worker({ name: 'w1', concurrency: 1, logger: null })
      .handle(queue.name, ({ taskId }) => begun.add(taskId));
    await worker.start();
    const from = way === 'in process' ? embedded : service.waybill;
    await inTransaction(service.pool, async (caller) => {
      await caller.query('create temp table orders (number int) on commit drop');
      for (let round = 0; round < 3; round++)
        await inTime('the worker to have the task', KICK_MS, async () => {
          await hasLooked(queue);
          const { id } = await from.queue(queue.name).enqueue('at once');
          await begun.of(id);
          return waitedMs(id);
        });
    });
    await worker.stop();
  },
);

/** The tasks that a worker has begun. */
class Begun {
  private readonly ids = new Set<string>();

  add(id: string): void {
    this.ids.add(id);
  }

  of(id: string): Promise<true> {
    return until(`task '${id}' to begin`, async () => (this.ids.has(id) ? true : null));
  }
}

/** From its enqueue on, by the database's clock. */
async function waitedMs(id: string): Promise<number> {
  const history = await service.waybill.task(id).history();
  const at = (type: string): number => Date.parse(history.find((event) => event.type === type)!.recordedAt);
  return at('TaskClaimed') - at('TaskEnqueued');
}

/** By now, every earlier claim has found nothing and waits for a wake-up. */
async function hasLooked(queue: ClusterQueue): Promise<void> {
  for (const worker of ['other', 'another']) expect(await queue.claim(worker)).toBeNull();
}

describe('the outbox', () => {
  /** Runs a producer's own transaction and ends it. */
  async function producer(end: 'commit' | 'rollback', queue: string, payload: string): Promise<void> {
    const connection = await service.pool.connect();
    await connection.query('begin');
    await connection.query('create temp table orders (number int) on commit drop');
    await connection.query('insert into orders values (1)');
    await connection.query('select waybill.enqueue($1, to_jsonb($2::text))', [queue, payload]);
    await connection.query(end);
    connection.release();
  }

  it('S1-01 S1-03 enqueues with the commit of a producer’s own transaction, and nothing with its rollback', async () => {
    await inTime('the waiting claim to have the task', KICK_MS, async () => {
      const queue = await makeQueue(service.waybill, 'outbox');
      const waiting = queue.handle.claim({ worker: 'w1', waitMs: PATIENCE_MS, max: 2 });
      await producer('rollback', queue.name, 'never');
      await hasLooked(queue);
      const committed = await databaseTime(service.pool);
      await producer('commit', queue.name, 'ordered');
      const [claimedTask, ...rest] = await waiting;
      expect([claimedTask?.payload, rest]).toEqual(['ordered', []]);
      const claimed = (await service.waybill.task(claimedTask!.taskId).history()).at(-1)!;
      expect(await queue.claim()).toBeNull();
      return Date.parse(claimed.recordedAt) - committed;
    });
  });
});

describe('a call without a transaction', () => {
  it.each(['over HTTP', 'in process'])(
    'S1-02 is independent: done and visible %s while the caller’s unit of work is open, whatever becomes of that',
    async (way) => {
      const queue = await makeQueue(service.waybill, 'own');
      const caller = await service.pool.connect();
      await caller.query('begin');
      await caller.query('create temp table orders (number int) on commit drop');
      const from = way === 'in process' ? embedded : service.waybill;
      const { id } = await from.queue(queue.name).enqueue('published inside');
      const second = await service.addInstance();
      expect(await second.task(id).get()).toMatchObject({ state: 'pending' });
      const claimedTask = await queue.take();
      expect(claimedTask.taskId).toBe(id);
      await caller.query('rollback');
      caller.release();
      await queue.succeed(claimedTask);
      expect(await service.waybill.task(id).get()).toMatchObject({ state: 'succeeded' });
    },
  );

  // The last one of the file, because those before it read the whole log.
  it('S1-04 lets the first of 1,000 tasks start before the last one is enqueued', async () => {
    const queue = await makeQueue(service.waybill, 'stream');
    let published = 0;
    let begin!: (publishedAtStart: number) => void;
    const begun = new Promise<number>((resolve) => (begin = resolve));
    const worker = service.waybill
      .worker({ name: 'w1', concurrency: 1, logger: null })
      .handle(queue.name, () => begin(published));
    await worker.start();
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        while (published < 999) await queue.handle.enqueue(published++);
      }),
    );
    // The last one is not enqueued before.
    expect(await begun).toBeLessThan(1_000);
    await queue.handle.enqueue(published++);
    await worker.stop();
  });
});
