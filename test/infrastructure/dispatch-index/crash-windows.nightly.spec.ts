import { uuidv7 } from 'uuidv7';
import type { ClaimAnswer, ClaimRequest } from '../../../src/application/claims/claim-source.port.js';
import { LeaseExpiry } from '../../../src/application/claims/lease-expiry.js';
import { type AppendResult, EventStoreUnavailable } from '../../../src/application/kernel/event-store.port.js';
import { QueueDirectory } from '../../../src/application/kernel/queue-directory.js';
import type { QueueTaken } from '../../../src/domain/queue-consumer/consumer.events.js';
import { consumerStream } from '../../../src/domain/queue-consumer/consumer.stream.js';
import { taskIdOf, taskStream } from '../../../src/domain/task/task.stream.js';
import { PostgresLeaseRepository } from '../../../src/infrastructure/dispatch-index/postgres-lease-repository.js';
import { claimOf, openReservedDispatch, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { claim, defineQueue, enqueue, item, succeeded } from '../../support/events.js';
import { openStore } from '../../support/eventstoredb/open-store.js';
import { until } from '../../support/until.js';
import { scanned } from '../../support/scanned.js';

const CONTEXT = { actor: 'tester', correlationId: 'test' };
const PATIENCE_MS = 60_000;

describe('given events in another store, a process that stops or stalls between the two stores', () => {
  let dispatch: ReservedDispatch;
  let queue: string;

  beforeAll(async () => {
    dispatch = await openReservedDispatch();
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
  });

  const reservations = async (): Promise<number> => {
    const { rows } = await dispatch.pool.query<{ n: number }>(
      'select count(*)::int as n from reservations where scope = $1',
      [queue],
    );
    return rows[0]!.n;
  };
  const reserved = (): Promise<true> => until('a reservation', async () => ((await reservations()) > 0 ? true : null));
  const passDeadlines = () =>
    dispatch.pool.query(`update reservations set deadline = now() - interval '1 second' where scope = $1`, [queue]);
  const typesOf = async (taskId: string): Promise<string[]> =>
    (await dispatch.log.readStreams([taskStream(taskId)]))[0]!.map(({ event }) => event.type);
  const only = async (one: ReturnType<typeof enqueue>): Promise<AppendResult> =>
    (await dispatch.store.append([one]))[0]!;

  /** Holds back the next append to the stream, as if its process stalled. Returns a function that lets it continue. */
  const stall = (stream: string): (() => void) => {
    let goOn!: () => void;
    const hold = new Promise<void>((resolve) => (goOn = resolve));
    dispatch.server!.faults.planAppend({ kind: 'hold', until: hold }, (name) => name.endsWith(stream));
    return goOn;
  };

  const expire = (claimedTask: { readonly taskId: string; readonly token: string }): Promise<number> =>
    new LeaseExpiry(dispatch.runner, dispatch.clock, new QueueDirectory(dispatch.store)).expire([claimedTask], CONTEXT);

  const tokensOf = ({ tasks }: ClaimAnswer): string[] => tasks.map(({ token }) => token);

  const claimedTask = (request: ClaimRequest) => dispatch.claims.serve(queue, [request]);

  /** Retries like a client that is told to try again later, because the index may lag for longer than a claim waits. */
  async function answerTo(request: ClaimRequest, asked = claimedTask(request)): Promise<ClaimAnswer> {
    let [answer] = await asked;
    while (answer instanceof EventStoreUnavailable) [answer] = await claimedTask(request);
    return answer as ClaimAnswer;
  }

  /** Resolves when the repeated claim is answered, or has waited for the outcome of the first one. */
  const waits = (repeat: Promise<unknown>): Promise<unknown> => {
    let looks = 0;
    let stop!: () => void;
    const looked = new Promise<void>((resolve) => {
      stop = dispatch.pool.onStatement((text) => {
        if (text === 'waybill_claim_under_way' && ++looks === 2) resolve();
      });
    });
    return Promise.race([repeat, looked]).finally(stop);
  };

  const overdue = async (taskId: string): Promise<true | null> => {
    const { rows } = await dispatch.pool.query('select 1 from task_leases where task_id = $1 and deadline < now()', [
      taskId,
    ]);
    return rows.length > 0 ? true : null;
  };

  async function leaseOf(taskId: string): Promise<{ readonly taskId: string; readonly token: string }> {
    const { rows } = await dispatch.pool.query<{ token: string }>('select token from task_leases where task_id = $1', [
      taskId,
    ]);
    return { taskId, token: rows[0]!.token };
  }

  describe('a start', () => {
    const started = (key?: string, of = enqueue(queue, { ...(key && { key }) })) => {
      const { item: claimed, token } = claim(of);
      const conditions = key ? { keyFree: { queue, key } } : {};
      const events = [...of.events, ...claimed.events];
      return { token, item: { ...of, events, leaseSecret: claimed.leaseSecret!, conditions } };
    };

    const leases = async (token: string): Promise<number> =>
      (await dispatch.pool.query('select from leases where id = $1', [token])).rows.length;

    it('whose process stops after the reservation is fenced, and its key and lease are free again', async () => {
      const { item: lost, token } = started('x');
      expect(await dispatch.reservations.reserve(lost)).toMatchObject({ kind: 'reserved' });
      expect(await leases(token)).toBe(1);
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      expect(await leases(token)).toBe(0);
      expect(await only(started('x').item)).toMatchObject({ kind: 'appended' });
      expect(await typesOf(taskIdOf(lost.stream))).toEqual(['TaskReservationAbandoned']);
    });

    it('that was fenced can be repeated', async () => {
      const { item: late } = started('x');
      await dispatch.reservations.reserve(late);
      await passDeadlines();
      await dispatch.cleaner.clean();
      const again = started('x', enqueue(queue, { key: 'x' }, {}, taskIdOf(late.stream))).item;
      expect(await only({ ...again, expected: 0 })).toMatchObject({ kind: 'appended', revision: 2 });
      expect(await dispatch.claim(queue)).toEqual([]);
    });

    it('keeps its key from others of a queue in which tasks line up, before its event is applied', async () => {
      await dispatch.changePolicy(queue, { duplicatePending: 'allow' });
      const { item: begun, token } = started('x');
      await dispatch.reservations.reserve(begun);
      const [waiting] = await dispatch.enqueue(queue, [{ key: 'x' }]);
      expect(await dispatch.claim(queue)).toEqual([]);
      const [stored] = await dispatch.log.append([begun]);
      expect(stored).toMatchObject({ kind: 'appended' });
      await dispatch.index.reached((stored as { position: bigint }).position, PATIENCE_MS);
      expect(await dispatch.claim(queue)).toEqual([]);
      const end = succeeded(queue, token, { key: 'x' });
      expect(await only(item(begun.stream, 1, [end]))).toMatchObject({ kind: 'appended' });
      expect(await dispatch.claim(queue)).toMatchObject([{ taskId: waiting }]);
    });
  });

  describe('a command that is answered before the index has applied it', () => {
    it('S3-09 is stored, and a claim that waits gets its task once the index follows', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      await dispatch.settle(await dispatch.claim(queue), {
        type: 'fail',
        error: { message: 'full', class: 'business' },
      });
      await dispatch.follower.stop();
      const retry = { type: 'RetryTask', step: null, override: false, heldBy: null } as const;
      expect(await dispatch.command(taskId!, retry as never)).toBe('accepted');
      expect(await typesOf(taskId!)).toEqual(expect.arrayContaining(['TaskFailed', 'TaskRetried']));
      expect(await dispatch.claim(queue)).toEqual([]);
      const waiting = dispatch.claim(queue, { waitMs: PATIENCE_MS });
      dispatch.follower.start();
      expect(await waiting).toMatchObject([{ taskId, attempt: 2 }]);
    });
  });

  describe('an enqueue', () => {
    it('whose process stops after the reservation is fenced, and its key is free again', async () => {
      const lost = enqueue(queue, { key: 'x' });
      expect(await dispatch.reservations.reserve(lost)).toMatchObject({ kind: 'reserved' });
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      expect(await only(enqueue(queue, { key: 'x' }))).toMatchObject({ kind: 'appended' });
      expect(await typesOf(taskIdOf(lost.stream))).toEqual(['TaskReservationAbandoned']);
    });

    it('whose process wakes up after the fence conflicts, and can be repeated', async () => {
      const late = enqueue(queue, { key: 'x' });
      await dispatch.reservations.reserve(late);
      await passDeadlines();
      await dispatch.cleaner.clean();
      expect((await dispatch.log.append([late]))[0]).toEqual({ kind: 'conflict', actual: 0 });
      const taskId = taskIdOf(late.stream);
      expect(await dispatch.enqueue(queue, [{ taskId, key: 'x' }])).toEqual([taskId]);
      expect(await typesOf(taskId)).toEqual(['TaskReservationAbandoned', 'TaskEnqueued']);
      expect(await dispatch.claim(queue)).toMatchObject([{ taskId }]);
    });

    it('that is overdue can be released only by the cleaner, which may be about to store a fence', async () => {
      const late = enqueue(queue);
      await dispatch.reservations.reserve(late);
      await passDeadlines();
      await dispatch.reservations.release([late.events[0]!.id]);
      expect(await reservations()).toBe(1);
      expect(await dispatch.reservations.reserve(late)).toEqual({ kind: 'busy' });
      expect(await dispatch.cleaner.clean()).toBe(1);
      expect(await dispatch.reservations.reserve(late)).toMatchObject({ kind: 'reserved' });
      await dispatch.reservations.release([late.events[0]!.id]);
    });

    it('keeps its key until its deadline, even if another enqueue asks for the key', async () => {
      const first = enqueue(queue, { key: 'x' });
      const goOn = stall(first.stream);
      const storing = only(first);
      await reserved();
      const second = only(enqueue(queue, { key: 'x' }));
      expect(await dispatch.cleaner.clean()).toBe(0);
      goOn();
      expect(await storing).toMatchObject({ kind: 'appended' });
      expect(await second).toEqual({ kind: 'refused', constraint: 'key-waiting', taskId: taskIdOf(first.stream) });
    });

    it('whose process stops after the append is stored, and keeps the key that it reserved', async () => {
      const one = enqueue(queue, { key: 'x' });
      await dispatch.reservations.reserve(one);
      const [stored] = await dispatch.log.append([one]);
      await dispatch.index.reached((stored as { position: bigint }).position, PATIENCE_MS);
      expect(await reservations()).toBe(0);
      expect(await only(enqueue(queue, { key: 'x' }))).toMatchObject({ kind: 'refused', constraint: 'key-waiting' });
      expect(await dispatch.claim(queue)).toMatchObject([{ taskId: taskIdOf(one.stream) }]);
    });

    it('is not fenced if its append is in the stream when the cleaner looks', async () => {
      const one = enqueue(queue, { key: 'x' });
      await dispatch.follower.stop();
      await dispatch.reservations.reserve(one);
      await dispatch.log.append([one]);
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(0);
      dispatch.follower.start();
      await dispatch.index.reached(await dispatch.log.head(), PATIENCE_MS);
      expect(await typesOf(taskIdOf(one.stream))).toEqual(['TaskEnqueued']);
      expect(await reservations()).toBe(0);
    });

    it('that is too large for the store is refused alone, and its key is free at once', async () => {
      const large = enqueue(queue, { key: 'x', payload: 'x'.repeat(1024 * 1024) });
      const results = await dispatch.store.append([enqueue(queue), large]);
      expect(results).toMatchObject([{ kind: 'appended' }, { kind: 'refused', constraint: 'too-large' }]);
      expect(await reservations()).toBe(0);
      expect(await only(enqueue(queue, { key: 'x' }))).toMatchObject({ kind: 'appended' });
    });

    it('that was stored but not answered takes its idempotency key', async () => {
      const idempotencyKey = { key: queue, item: 0, fingerprint: 'f', answer: 'recorded' };
      const one = enqueue(queue, {}, { idempotencyKey });
      dispatch.server!.faults.planAppend({ kind: 'drop' }, (name) => name.endsWith(one.stream));
      const storing = only(one);
      await until('the append', async () => ((await typesOf(taskIdOf(one.stream))).length > 0 ? true : null));
      dispatch.server!.cut();
      expect(await storing).toMatchObject({ kind: 'appended' });
      expect(await only(enqueue(queue, {}, { idempotencyKey }))).toMatchObject({ constraint: 'idempotency-key' });
    });
  });

  describe('a claim', () => {
    it('whose process stops after it took the lease is fenced, and another worker gets the task with a later token', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      const goOn = stall(taskStream(taskId!));
      const stalled = dispatch.claim(queue, { worker: 'stalled' });
      await reserved();
      const { token } = await leaseOf(taskId!);
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      const [other] = (await answerTo({ ...claimOf(queue), worker: 'other' })).tasks;
      goOn();
      expect(await stalled).toEqual([]);
      expect(Number(other!.token.split('.')[0])).toBeGreaterThan(Number(token));
      expect(await dispatch.settle([other!])).toMatchObject([{ kind: 'done' }]);
      const after = ['TaskReservationAbandoned', 'TaskClaimed', 'TaskSucceeded'];
      expect(await typesOf(taskId!)).toEqual(['TaskEnqueued', ...after]);
    });

    it('whose process stalls after the append, past the lease, gives its worker no task', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      dispatch.server!.faults.planAppend({ kind: 'drop' }, (name) => name.endsWith(taskStream(taskId!)));
      const stalled = dispatch.claim(queue, { worker: 'stalled' });
      await until('the claim to be applied', async () => ((await typesOf(taskId!)).length === 2 ? true : null));
      await dispatch.index.reached(await dispatch.log.head(), PATIENCE_MS);
      const lease = await leaseOf(taskId!);
      await dispatch.pool.query(`update leases set deadline = now() - interval '1 second' where $1 = any (tasks)`, [
        taskId,
      ]);
      expect(await expire(lease)).toBe(1);
      const [other] = await dispatch.claim(queue, { worker: 'other' });
      expect(other).toMatchObject({ taskId });
      dispatch.server!.cut();
      expect(await stalled).toEqual([]);
      expect(await dispatch.settle([other!])).toMatchObject([{ kind: 'done' }]);
    });

    it('whose answer is lost can be repeated while its lease stands, and loses the task when the lease ends', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      const claimId = uuidv7();
      const [first] = await dispatch.claim(queue, { claimId });
      expect(await dispatch.claim(queue, { claimId })).toEqual([first]);
      await dispatch.pool.query(`update leases set deadline = now() - interval '1 second' where $1 = any (tasks)`, [
        taskId,
      ]);
      expect(await expire(await leaseOf(taskId!))).toBe(1);
      expect(await dispatch.settle([first!])).toMatchObject([{ kind: 'refused', rejection: { code: 'LEASE_LOST' } }]);
    });

    it('that is repeated through another process while it is being recorded gets the same answer', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      const goOn = stall(taskStream(taskId!));
      const request = { ...claimOf(queue), claimId: uuidv7() };
      const first = dispatch.claimer.claim(request);
      await reserved();
      const again = claimedTask(request);
      await waits(again);
      goOn();
      const repeat = await answerTo(request, again);
      expect(tokensOf(repeat)).toEqual(tokensOf(await first));
      expect(tokensOf(repeat)).toHaveLength(1);
    });

    it('that is repeated after it was given up unrecorded is a new claim', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      const goOn = stall(taskStream(taskId!));
      const request = { ...claimOf(queue), claimId: uuidv7() };
      const stalled = dispatch.claimer.claim(request);
      await reserved();
      const again = claimedTask(request);
      await waits(again);
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      const repeat = await answerTo(request, again);
      expect(tokensOf(repeat)).toHaveLength(1);
      goOn();
      expect(tokensOf(await stalled)).toEqual(tokensOf(repeat));
      expect(await typesOf(taskId!)).toEqual(['TaskEnqueued', 'TaskReservationAbandoned', 'TaskClaimed']);
    });

    it('that is repeated while the index does not follow is answered as unavailable, to be repeated later', async () => {
      await dispatch.enqueue(queue, [{}]);
      await dispatch.follower.stop();
      const request = { ...claimOf(queue), claimId: uuidv7() };
      const first = await dispatch.claimer.claim(request);
      const [early] = await claimedTask(request);
      expect(early).toBeInstanceOf(EventStoreUnavailable);
      dispatch.follower.start();
      await dispatch.index.reached(await dispatch.log.head(), PATIENCE_MS);
      const late = await answerTo(request);
      expect(tokensOf(late)).toEqual(tokensOf(first));
    });

    it('of eight workers gives the task to only one while the index lags', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      await dispatch.follower.stop();
      const claims = Promise.all(Array.from({ length: 8 }, (_, n) => dispatch.claim(queue, { worker: `w${n}` })));
      const answers = await claims;
      dispatch.follower.start();
      expect(answers.flat().map((claimedTask) => claimedTask.taskId)).toEqual([taskId]);
    });
  });

  describe('a claim of a serial queue', () => {
    const takings = async (): Promise<unknown[]> => {
      const [events] = await dispatch.log.readStreams([consumerStream(queue)]);
      return events!.map(({ event }) => [
        event.type,
        (event as QueueTaken).data.epoch,
        (event as QueueTaken).data.worker,
      ]);
    };
    /** A claim of the only task that stalls before it records anything on the stream, and whose lease is overdue. */
    const stalledAt = async (stream: string) => {
      const goOn = stall(stream);
      const stalled = dispatch.claim(queue, { worker: 'stalled' });
      await reserved();
      await dispatch.pool.query(`update leases set deadline = now() - interval '1 second' where queue = $1`, [queue]);
      return { goOn, stalled };
    };
    const askElsewhere = (): Promise<ClaimAnswer> => answerTo({ ...claimOf(queue), worker: 'other' });

    beforeEach(async () => {
      queue = `q-${uuidv7()}`;
      await dispatch.define(queue, { concurrency: 'serial' });
    });

    it('whose process stops before recording it is not taken over, but is fenced, and the queue is free again', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      const { goOn, stalled } = await stalledAt(consumerStream(queue));
      expect(await askElsewhere()).toMatchObject({ tasks: [], refusal: { code: 'QUEUE_HELD' }, reset: null });
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      expect((await askElsewhere()).tasks).toMatchObject([{ taskId, attempt: 1 }]);
      goOn();
      expect(await stalled).toEqual([]);
      expect(await takings()).toEqual([['QueueTaken', 1, 'other']]);
    });

    it('whose process stops after it took the queue, but no task, loses the queue and the task', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      const { goOn, stalled } = await stalledAt(taskStream(taskId!));
      await until('the queue to be taken', async () => ((await takings()).length > 0 ? true : null));
      await passDeadlines();
      await dispatch.cleaner.clean();
      expect((await askElsewhere()).tasks).toMatchObject([{ taskId }]);
      goOn();
      expect(await stalled).toEqual([]);
      expect(await takings()).toEqual([
        ['QueueTaken', 1, 'stalled'],
        ['QueueTaken', 2, 'other'],
      ]);
    });

    it('is taken over only after the index has applied every report of its worker', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      const claimedTasks = await dispatch.claim(queue, { leaseMs: 1 });
      await until('the lease to end', () => overdue(taskId!));
      await dispatch.follower.stop();
      const settled = dispatch.settle(claimedTasks);
      await until('the report', async () => ((await typesOf(taskId!)).includes('TaskSucceeded') ? true : null));
      const asked = askElsewhere();
      dispatch.follower.start();
      expect(await asked).toMatchObject({ tasks: [], reset: null });
      await settled;
      expect(await takings()).toEqual([['QueueTaken', 1, 'w1']]);
    });
  });

  it('an extension does not undo an expiry that is being recorded', async () => {
    const [taskId] = await dispatch.enqueue(queue, [{}]);
    const [claimedTask] = await dispatch.claim(queue);
    const [token, secret] = claimedTask!.token.split('.') as [string, string];
    await dispatch.pool.query(`update leases set deadline = now() - interval '1 second' where $1 = any (tasks)`, [
      taskId,
    ]);
    const goOn = stall(taskStream(taskId!));
    const expiring = expire({ taskId: taskId!, token });
    await reserved();
    const [answer] = await new PostgresLeaseRepository(dispatch.pool).extend([{ taskId: taskId!, token, secret }]);
    expect(Date.parse((answer as { deadline: string }).deadline)).toBeLessThan(Date.now());
    goOn();
    expect(await expiring).toBe(1);
    expect(await dispatch.settle([claimedTask!])).toMatchObject([{ kind: 'refused' }]);
  });

  it('an expiry that is given up leaves the key with its running task', async () => {
    await dispatch.changePolicy(queue, { duplicatePending: 'allow' });
    const [taskId] = await dispatch.enqueue(queue, [{ key: 'x' }, { key: 'x' }]);
    const [claimedTask] = await dispatch.claim(queue);
    expect(claimedTask!.taskId).toBe(taskId);
    await dispatch.pool.query(`update leases set deadline = now() - interval '1 second' where $1 = any (tasks)`, [
      taskId,
    ]);
    const goOn = stall(taskStream(taskId!));
    const expiring = expire({ taskId: taskId!, token: claimedTask!.token.split('.')[0]! });
    await reserved();
    await passDeadlines();
    expect(await dispatch.cleaner.clean()).toBe(1);
    expect(await dispatch.claim(queue)).toEqual([]);
    goOn();
    await expiring;
  });

  describe('a change of a queue', () => {
    const paused = () =>
      item(`queue-${queue}`, 0, [
        { type: 'QueuePaused', version: 2, data: { queue, by: 'x', reason: null, until: null } },
      ]);

    it('waits for appends that were decided on the old revision, and later ones on that revision are refused', async () => {
      const conditions = { queue: { name: queue, revision: 0 } };
      const before = enqueue(queue, {}, conditions);
      const goOn = stall(before.stream);
      const storing = only(before);
      await reserved();
      const pausing = only(paused());
      await until('the change to wait', async () => ((await reservations()) === 2 ? true : null));
      const after = only(enqueue(queue, {}, conditions));
      goOn();
      expect((await Promise.all([storing, pausing])).map(({ kind }) => kind)).toEqual(['appended', 'appended']);
      expect(await after).toMatchObject({ kind: 'refused', constraint: 'queue-changed' });
      const log = await scanned(dispatch.store, { queue });
      expect(log.map(({ event }) => event.type)).toEqual(['QueueDefined', 'TaskEnqueued', 'QueuePaused']);
    });

    it('whose process stops after the reservation does not block the queue', async () => {
      await dispatch.reservations.reserve(paused());
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      expect((await dispatch.log.append([paused()]))[0]).toEqual({ kind: 'conflict', actual: 1 });
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      expect(await dispatch.claim(queue)).toMatchObject([{ taskId }]);
    });

    it('does not finish a queue while an enqueue is being recorded', async () => {
      const one = enqueue(queue);
      const goOn = stall(one.stream);
      const storing = only(one);
      await reserved();
      const finished = { type: 'QueueFinished', version: 1, data: { queue, by: 'x' } };
      const finishing = only(item(`queue-${queue}`, 0, [finished], { queueEmpty: queue }));
      await until('the finish to wait', async () => ((await reservations()) === 2 ? true : null));
      goOn();
      await storing;
      expect(await finishing).toMatchObject({ kind: 'refused', constraint: 'queue-not-empty' });
    });
  });

  it('builds the same index from the log alone', async () => {
    await dispatch.store.append([defineQueue(`${queue}-2`, { duplicatePending: 'allow' })]);
    await dispatch.enqueue(queue, [{ key: 'a' }, { key: 'b' }, {}, { priority: 3 }]);
    await dispatch.enqueue(`${queue}-2`, [{ key: 'a' }, { key: 'a' }, { key: 'a' }]);
    const claimedTasks = [
      ...(await dispatch.claim(queue, { max: 3 })),
      ...(await dispatch.claim(`${queue}-2`, { max: 3 })),
    ];
    await dispatch.settle(claimedTasks.slice(0, 1));
    await dispatch.settle(claimedTasks.slice(1, 2), { type: 'fail', error: { message: 'no disk' } });
    await dispatch.settle(claimedTasks.slice(2, 3), { type: 'return' });
    const twin = await openStore({ url: dispatch.server!.url, prefix: dispatch.prefix });
    await twin.index.reached(await dispatch.log.head(), 20_000);
    for (const [table, columns] of [
      // A claim without a reservation is a lease for each of its tasks.
      ['tasks', `task_id, queue, to_jsonb(tasks) - 'lease' as row`],
      ['ready', '*'],
      ['waiting', '*'],
      ['key_slots', '*'],
      ['key_failures', '*'],
      ['queues', '*'],
      ['task_leases', 'token, task_id, queue, worker, server, claim_id, lease_ms, cancel_requested'],
    ]) {
      const rows = async (pool: ReservedDispatch['pool']) =>
        (await pool.query(`select ${columns} from ${table} order by 1, 2, 3`)).rows;
      const derived = await rows(twin.pool);
      expect(derived.length).toBeGreaterThan(0);
      expect({ [table!]: derived }).toEqual({ [table!]: await rows(dispatch.pool) });
    }
    await twin.close();
  });
});
