import { uuidv7 } from 'uuidv7';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { LOG_LOCK } from '../../../src/infrastructure/database/locks.js';
import { TaskClaimer } from '../../../src/application/claims/task-claimer.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { inTransaction } from '../../../src/infrastructure/database/transaction.js';
import { claimOf, type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';
import { until } from '../../support/until.js';

describe.each([
  ['with the events in Postgres', openDispatch],
  ['with the events in EventStoreDB', openReservedDispatch],
])('TaskClaimer %s', (_, open) => {
  let dispatch: DispatchFixture;
  let queue: string;

  beforeAll(async () => {
    dispatch = await open();
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
  });

  const idsOf = (claimedTasks: readonly { readonly taskId: string }[]) => claimedTasks.map(({ taskId }) => taskId);
  const past = (): string => new Date(Date.now() - 60_000).toISOString();
  const future = (): string => new Date(Date.now() + 3_600_000).toISOString();

  /** The number of transactions that wait for a lock. */
  async function waiting(): Promise<number> {
    return (await dispatch.pool.query('select from pg_locks where not granted')).rows.length;
  }

  describe('order', () => {
    it('gives out the task with the highest priority first, and among equals the oldest', async () => {
      const [low, high1, middle, high2] = await dispatch.enqueue(queue, [
        {},
        { priority: 9 },
        { priority: 5 },
        { priority: 9 },
      ]);
      expect(idsOf(await dispatch.claim(queue, { max: 10 }))).toEqual([high1, high2, middle, low]);
    });

    it('given a task that its worker did not begin, gives it out before younger ones', async () => {
      const [first, second] = await dispatch.enqueue(queue, [{}, {}]);
      await dispatch.settle(await dispatch.claim(queue), { type: 'return', unstarted: true });
      expect(idsOf(await dispatch.claim(queue, { max: 2 }))).toEqual([first, second]);
    });

    it('keeps the order from claim to claim: a returned task, one of higher priority, then those of lower priority', async () => {
      const [first, second, third] = await dispatch.enqueue(queue, [{}, {}, {}, { priority: -1 }]);
      const taken = await dispatch.claim(queue);
      expect(idsOf(taken)).toEqual([first]);
      expect(idsOf(await dispatch.claim(queue))).toEqual([second]);
      const [high] = await dispatch.enqueue(queue, [{ priority: 5 }]);
      expect(idsOf(await dispatch.claim(queue))).toEqual([high]);
      await dispatch.settle(taken, { type: 'return', unstarted: true });
      expect(idsOf(await dispatch.claim(queue))).toEqual([first]);
      const [last] = await dispatch.enqueue(queue, [{}]);
      expect(idsOf(await dispatch.claim(queue))).toEqual([third]);
      expect(idsOf(await dispatch.claim(queue))).toEqual([last]);
      expect(await dispatch.claim(queue, { max: 9 })).toHaveLength(1);
    });

    it('gives out a task by its changed priority', async () => {
      const [first, second] = await dispatch.enqueue(queue, [{}, {}]);
      expect(await dispatch.command(second!, { type: 'ReprioritiseTask', priority: 7 } as never)).toBe('accepted');
      expect(idsOf(await dispatch.claim(queue, { max: 2 }))).toEqual([second, first]);
    });
  });

  it('given pauseAfterFailures, gives out nothing after the last allowed failure, even before the queue is paused', async () => {
    const careful = `q-${uuidv7()}`;
    await dispatch.define(careful, { pauseAfterFailures: 2 });
    await dispatch.enqueue(careful, Array(5).fill({}));
    const fail = async () =>
      dispatch.settle(await dispatch.claim(careful), { type: 'fail', error: { message: 'no disk' } });
    await fail();
    await dispatch.settle(await dispatch.claim(careful));
    await fail();
    expect((await fail())[0]).toMatchObject({ kind: 'done' });
    expect(await dispatch.claim(careful)).toEqual([]);
  });

  describe('due times', () => {
    it('gives out a task from its due time on, in order of priority', async () => {
      const [due, later, plain] = await dispatch.enqueue(queue, [
        { dueAt: past(), priority: 1 },
        { dueAt: future() },
        {},
      ]);
      expect(idsOf(await dispatch.claim(queue, { max: 10 }))).toEqual([due, plain]);
      await dispatch.pool.query('update waiting set due_at = now() where task_id = $1', [later]);
      expect(idsOf(await dispatch.claim(queue, { max: 10 }))).toEqual([later]);
    });

    it('gives out tasks that became due by priority, not by due time', async () => {
      const ids = await dispatch.enqueue(
        queue,
        [0, 1, 2, 3].map((priority) => ({ priority, dueAt: future() })),
      );

      await dispatch.pool.query(
        `update waiting set due_at = now() - (10 - priority) * interval '1 second' where queue = $1`,
        [queue],
      );
      expect(idsOf(await dispatch.claim(queue))).toEqual([ids[3]]);
    });

    it('gives out a due task even if tasks of busy keys became due before it', async () => {
      const busy = ['a', 'b', 'c'];
      await dispatch.enqueue(
        queue,
        busy.map((key) => ({ key })),
      );
      await dispatch.claim(queue, { max: 3 });
      await dispatch.enqueue(
        queue,
        busy.map((key) => ({ key, dueAt: future(), priority: 5 })),
      );
      const [free] = await dispatch.enqueue(queue, [{ dueAt: future() }]);
      await dispatch.pool.query('update waiting set due_at = now() where queue = $1', [queue]);
      expect(idsOf(await dispatch.claim(queue))).toEqual([free]);
    });

    it('given a running task, gives out a due task with its key only after the key is free', async () => {
      const [running] = await dispatch.enqueue(queue, [{ key: 'k' }]);
      const claimedTasks = await dispatch.claim(queue);
      const [due] = await dispatch.enqueue(queue, [{ key: 'k', dueAt: future() }]);
      await dispatch.pool.query('update waiting set due_at = now() where task_id = $1', [due]);
      expect(await dispatch.claim(queue)).toEqual([]);
      await dispatch.settle(claimedTasks);
      expect(idsOf(claimedTasks)).toEqual([running]);
      expect(idsOf(await dispatch.claim(queue))).toEqual([due]);
    });
  });

  describe('keys', () => {
    it('S0-08 S0-13 gives out one task per key at a time, and the waiting one exactly once', async () => {
      const [first] = await dispatch.enqueue(queue, [{ key: 'x' }]);
      const running = await dispatch.claim(queue, { max: 5 });
      const [second] = await dispatch.enqueue(queue, [{ key: 'x' }]);
      expect(await dispatch.claim(queue, { max: 5 })).toEqual([]);
      await dispatch.settle(running);
      expect(idsOf(running)).toEqual([first]);
      expect(idsOf(await dispatch.claim(queue, { max: 5 }))).toEqual([second]);
      expect(await dispatch.claim(queue, { max: 5 })).toEqual([]);
    });

    it('given tasks in line for a key, gives them out one by one, the oldest first', async () => {
      const lined = `q-${uuidv7()}`;
      await dispatch.define(lined, { duplicatePending: 'allow' });
      const ids = await dispatch.enqueue(lined, [{ key: 'x' }, { key: 'x' }, { key: 'x' }]);
      const seen: string[] = [];
      for (
        let claimedTasks = await dispatch.claim(lined, { max: 5 });
        claimedTasks.length > 0;
        claimedTasks = await dispatch.claim(lined, { max: 5 })
      ) {
        expect(claimedTasks).toHaveLength(1);
        seen.push(claimedTasks[0]!.taskId);
        await dispatch.settle(claimedTasks);
      }
      expect(seen).toEqual(ids);
    });

    it('given tasks in line for a key, gives out the most urgent one after its priority has changed', async () => {
      const lined = `q-${uuidv7()}`;
      await dispatch.define(lined, { duplicatePending: 'allow' });
      const [first, second, third] = await dispatch.enqueue(lined, [
        { key: 'x' },
        { key: 'x' },
        { key: 'x', priority: 3 },
      ]);
      expect(await dispatch.command(second!, { type: 'ReprioritiseTask', priority: 7 } as never)).toBe('accepted');
      const seen: string[] = [];
      for (let at = 0; at < 3; at++) {
        const claimedTasks = await dispatch.claim(lined, { max: 5 });
        seen.push(...idsOf(claimedTasks));
        await dispatch.settle(claimedTasks);
      }
      expect(seen).toEqual([second, third, first]);
    });

    it('given tasks in line for a key, gives out the next one if the first was moved behind it', async () => {
      const lined = `q-${uuidv7()}`;
      await dispatch.define(lined, { duplicatePending: 'allow' });
      const [first, second] = await dispatch.enqueue(lined, [{ key: 'x' }, { key: 'x', priority: 1 }]);
      expect(await dispatch.command(second!, { type: 'ReprioritiseTask', priority: 0 } as never)).toBe('accepted');
      expect(idsOf(await dispatch.claim(lined, { max: 5 }))).toEqual([first]);
    });

    it('given tasks in line under an earlier policy, refuses another task with their key', async () => {
      const lined = `q-${uuidv7()}`;
      await dispatch.define(lined, { duplicatePending: 'allow' });
      await dispatch.enqueue(lined, [{ key: 'x' }, { key: 'x' }, { key: 'y' }, { key: 'y', dueAt: future() }]);
      await dispatch.changePolicy(lined, { duplicatePending: 'refuse' });
      const refused = ['KEY_ALREADY_WAITING', 'KEY_ALREADY_WAITING'];
      expect(await dispatch.enqueue(lined, [{ key: 'x' }, { key: 'y' }])).toEqual(refused);
      expect(await dispatch.claim(lined, { max: 5 })).toHaveLength(2);
      expect(await dispatch.enqueue(lined, [{ key: 'x' }, { key: 'y' }])).toEqual(refused);
    });

    it('given tasks in line for a key, gives out one that its worker did not begin before those behind it', async () => {
      const lined = `q-${uuidv7()}`;
      await dispatch.define(lined, { duplicatePending: 'allow' });
      const [first] = await dispatch.enqueue(lined, [{ key: 'x' }, { key: 'x' }]);
      await dispatch.settle(await dispatch.claim(lined), { type: 'return', unstarted: true });
      expect(idsOf(await dispatch.claim(lined, { max: 5 }))).toEqual([first]);
    });

    it('S0-42 given a waiting task with the same key, a returned task fails', async () => {
      await dispatch.enqueue(queue, [{ key: 'x' }]);
      const running = await dispatch.claim(queue);
      const [second] = await dispatch.enqueue(queue, [{ key: 'x' }]);
      expect(await dispatch.settle(running, { type: 'return' })).toMatchObject([{ kind: 'done', state: 'failed' }]);
      expect(idsOf(await dispatch.claim(queue))).toEqual([second]);
    });

    it('given a cancelled waiting task, its key is free', async () => {
      const [first] = await dispatch.enqueue(queue, [{ key: 'x' }]);
      expect(await dispatch.command(first!, { type: 'CancelTask', reason: null } as never)).toBe('accepted');
      const [second] = await dispatch.enqueue(queue, [{ key: 'x' }]);
      expect(idsOf(await dispatch.claim(queue, { max: 5 }))).toEqual([second]);
    });

    it('leaves no row for a key without open tasks', async () => {
      await dispatch.enqueue(queue, [{ key: 'x' }, { key: 'y' }]);
      await dispatch.settle(await dispatch.claim(queue, { max: 2 }));
      const { rows } = await dispatch.pool.query('select * from key_slots where queue = $1', [queue]);
      expect(rows).toEqual([]);
    });
  });

  it('refuses a claim if too many wait already, until one of them ends', async () => {
    await dispatch.define(`other-${queue}`);
    const claimer = new TaskClaimer(dispatch.claims, new LocalWakeUps(), 2);
    const leaving = new AbortController();
    const waiting = [
      claimer.claim({ ...claimOf(queue), waitMs: 60_000, signal: leaving.signal }),
      claimer.claim({ ...claimOf(`other-${queue}`), waitMs: 60_000 }),
    ];
    const third = (): Promise<unknown> => claimer.claim(claimOf(queue));
    await expect(third()).rejects.toMatchObject({ rejection: { code: 'TOO_MANY_WAITING', waiting: 2 } });
    leaving.abort();
    await waiting[0];
    await expect(third()).resolves.toMatchObject({ tasks: [] });
    claimer.onApplicationShutdown();
    await Promise.all(waiting);
  });

  describe('exclusion', () => {
    it('S0-06 given fifty concurrent claims, gives one task to one of them', async () => {
      const [only] = await dispatch.enqueue(queue, [{}]);
      const answers = await Promise.all(Array.from({ length: 50 }, () => dispatch.claim(queue)));
      expect(answers.flat().map(({ taskId }) => taskId)).toEqual([only]);
    });

    it('S0-06 given two claims in overlapping transactions, gives one task to one of them', async () => {
      const other = new TaskClaimer(dispatch.claims, new LocalWakeUps());
      const [only] = await dispatch.enqueue(queue, [{}]);
      const [here, elsewhere] = [claimOf(queue), claimOf(queue)];
      const claiming = await inTransaction(dispatch.pool, async (connection) => {
        await connection.query(`select pg_advisory_xact_lock(${LOG_LOCK})`);
        const first = dispatch.claimer.claim(here);
        await until('the first to wait', async () => ((await waiting()) > 0 ? true : null));
        let isOver = false;
        const second = other.claim(elsewhere).finally(() => (isOver = true));
        // The second claim waits behind the first, or ends without a task.
        await until('the second to wait, or to be over', async () => (isOver || (await waiting()) > 1 ? true : null));
        return { answers: Promise.all([first, second]) };
      });
      const answers = await claiming.answers;
      expect(answers.flatMap(({ tasks }) => idsOf(tasks))).toEqual([only]);
      const history = await dispatch.store.readStreams([taskStream(only!)]);
      expect(history[0]!.map(({ event }) => event.type)).toEqual(['TaskEnqueued', 'TaskClaimed']);
      other.onApplicationShutdown();
    });

    it('gives out growing tokens', async () => {
      await dispatch.enqueue(queue, [{}, {}, {}]);
      const tokens = (await dispatch.claim(queue, { max: 3 })).map(({ token }) => Number(token.split('.')[0]));
      expect(tokens).toEqual([...tokens].sort((a, b) => a - b));
      await dispatch.enqueue(queue, [{}]);
      const [later] = await dispatch.claim(queue);
      expect(Number(later!.token.split('.')[0])).toBeGreaterThan(Math.max(...tokens));
    });

    it('given a paused queue, gives out nothing and leaves the ready rows as they are', async () => {
      await dispatch.enqueue(queue, [{}, {}]);
      await dispatch.store.append([
        {
          stream: `queue-${queue}`,
          expected: 0,
          events: [
            {
              id: uuidv7(),
              event: { type: 'QueuePaused', version: 2, data: { queue, by: 'x', reason: 'lunch', until: null } },
              envelope: { actor: 'x', correlationId: 'x' },
            },
          ],
        },
      ]);
      expect(await dispatch.claim(queue)).toEqual([]);
      const { rows } = await dispatch.pool.query(
        'select sum(to_seq - from_seq + 1)::int as n from ready where queue = $1',
        [queue],
      );
      expect(rows).toEqual([{ n: 2 }]);
    });
  });

  it('given maxRunning, never gives out more tasks than that', async () => {
    const limited = `q-${uuidv7()}`;
    await dispatch.define(limited, { maxRunning: 2 });
    await dispatch.enqueue(limited, Array(5).fill({}));
    const first = (await Promise.all([1, 2, 3].map(() => dispatch.claim(limited)))).flat();
    expect(first).toHaveLength(2);
    await dispatch.settle(first.slice(0, 1));
    expect(await dispatch.claim(limited, { max: 5 })).toHaveLength(1);
  });

  describe('long poll', () => {
    it('is answered with the next task', async () => {
      const waiting = dispatch.claim(queue, { waitMs: 600_000 });
      const [task] = await dispatch.enqueue(queue, [{}]);
      expect(idsOf(await waiting)).toEqual([task]);
    });

    it('answers waiting claims in the order in which they arrived', async () => {
      const [first, second] = [dispatch.claim(queue, { waitMs: 600_000 }), dispatch.claim(queue, { waitMs: 600_000 })];
      const ids = await dispatch.enqueue(queue, [{}, {}]);
      expect([idsOf(await first), idsOf(await second)]).toEqual(ids.map((id) => [id]));
    });

    it('is answered with no task when its time is over or its caller leaves', async () => {
      expect(await dispatch.claim(queue, { waitMs: 1 })).toEqual([]);
      const gone = new AbortController();
      const waiting = dispatch.claim(queue, { waitMs: 600_000, signal: gone.signal });
      gone.abort();
      expect(await waiting).toEqual([]);
    });

    it('is answered when a key becomes free', async () => {
      await dispatch.enqueue(queue, [{ key: 'x' }]);
      const running = await dispatch.claim(queue);
      const [second] = await dispatch.enqueue(queue, [{ key: 'x' }]);
      const waiting = dispatch.claim(queue, { waitMs: 600_000 });
      await dispatch.settle(running);
      expect(idsOf(await waiting)).toEqual([second]);
    });
  });

  describe('the position of a claim', () => {
    const claimedAt = async (taskId: string): Promise<string> => {
      const [history] = await dispatch.store.readStreams([taskStream(taskId)]);
      return String(history!.find(({ event }) => event.type === 'TaskClaimed')!.position);
    };
    const newest = async (taskIds: readonly string[]): Promise<string> => {
      const positions = await Promise.all(taskIds.map(claimedAt));
      return positions.reduce((most, one) => (BigInt(one) > BigInt(most) ? one : most));
    };

    it('is that of its own newest claim event, even if other claims are served together with it', async () => {
      await dispatch.enqueue(queue, [{}, {}, {}]);
      const [one, two] = await Promise.all([dispatch.ask(queue, { max: 2 }), dispatch.ask(queue, { max: 2 })]);
      expect([one.tasks.length, two.tasks.length]).toEqual([2, 1]);
      expect(one.position).toBe(await newest(idsOf(one.tasks)));
      expect(two.position).toBe(await newest(idsOf(two.tasks)));
    });

    it('is the same when the claim is repeated, even after other events', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}, {}]);
      const claimId = uuidv7();
      const first = await dispatch.ask(queue, { max: 2, claimId });
      await dispatch.command(taskId!, { type: 'CancelTask' });
      expect(await dispatch.ask(queue, { max: 2, claimId })).toEqual(first);
    });

    it('is null if no task was claimed', async () => {
      expect(await dispatch.ask(queue)).toMatchObject({ tasks: [], position: null });
    });
  });

  describe('a repeated claim', () => {
    it('gets the same tasks again', async () => {
      await dispatch.enqueue(queue, [{ payload: { n: 1 } }, {}, {}]);
      const claimId = uuidv7();
      const first = await dispatch.claim(queue, { max: 2, claimId });
      expect(await dispatch.claim(queue, { max: 2, claimId })).toEqual(first);
      expect(await dispatch.claim(queue, { max: 2 })).toHaveLength(1);
    });

    it('gets only the tasks whose leases still stand', async () => {
      await dispatch.enqueue(queue, [{}, {}]);
      const claimId = uuidv7();
      const first = await dispatch.claim(queue, { max: 2, claimId });
      await dispatch.settle(first.slice(0, 1));
      expect(await dispatch.claim(queue, { max: 2, claimId })).toEqual(first.slice(1));
    });

    it.each([
      ['counted', { maxRunning: 1 }],
      ['serial', { concurrency: 'serial' }],
    ] as const)('gets the same task from a %s queue that has no room for another', async (_kind, policy) => {
      const limited = `q-${uuidv7()}`;
      await dispatch.define(limited, policy);
      await dispatch.enqueue(limited, [{}, {}]);
      const claimId = uuidv7();
      const first = await dispatch.claim(limited, { claimId });
      expect(first).toHaveLength(1);
      expect(await dispatch.claim(limited, { claimId })).toEqual(first);
    });

    it('gets the same tasks as all concurrent repetitions', async () => {
      await dispatch.enqueue(queue, [{}, {}, {}, {}, {}, {}]);
      const claimId = uuidv7();
      const claims = Array.from({ length: 3 }, () => dispatch.claim(queue, { max: 2, claimId }));
      const [first, ...repeats] = await Promise.all(claims);
      expect(first).toHaveLength(2);
      expect(repeats).toEqual([first, first]);
      expect(await Promise.all([1, 2].map(() => dispatch.claim(queue, { max: 2, claimId })))).toEqual([first, first]);
    });

    it('of another worker is refused, while claims served together with it get their tasks', async () => {
      await dispatch.enqueue(queue, [{}, {}, {}]);
      const claimId = uuidv7();
      await dispatch.claim(queue, { claimId });
      const claims = [dispatch.claim(queue), dispatch.claim(queue, { claimId, worker: 'w2' }), dispatch.claim(queue)];
      const [one, refused, other] = await Promise.allSettled(claims);
      expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'CLAIM_ID_REUSED' } });
      expect([one, other]).toMatchObject([{ value: [{}] }, { value: [{}] }]);
    });

    it('is refused to another worker', async () => {
      await dispatch.enqueue(queue, [{}]);
      const claimId = uuidv7();
      await dispatch.claim(queue, { claimId });
      await expect(dispatch.claim(queue, { claimId, worker: 'w2' })).rejects.toThrow('CLAIM_ID_REUSED');
    });
  });

  it('given a locked log, waits without holding a lock and then continues', async () => {
    await dispatch.enqueue(queue, [{}]);
    const holder = await dispatch.pool.connect();
    await holder.query('begin');
    await holder.query(`select pg_advisory_xact_lock(${LOG_LOCK})`);
    const claiming = dispatch.claim(queue);
    await holder.query('commit');
    holder.release();
    expect(await claiming).toHaveLength(1);
  });
});
