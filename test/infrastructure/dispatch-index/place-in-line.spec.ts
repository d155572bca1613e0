import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { parseClaimToken } from '../../../src/application/claims/claim-token.js';
import { DEFAULT_POLICY, type QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import { until } from '../../support/until.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

const POISON = 60;
const SLOTS = 5;
const FRESH = 15;

/** Retried at once, so that a test waits for no time. */
const RETRY: Partial<QueuePolicy> = {
  onFailure: 'retry',
  retry: {
    ...DEFAULT_POLICY.retry,
    maxAttempts: null,
    backoff: { kind: 'fixed', baseMs: 0, factor: 1, capMs: 0, jitter: 'none' },
  },
  maxLost: null,
};
const FAILS = { type: 'fail', error: { message: 'no disk', class: 'transient' } } as const;

describe.each([
  ['with the events in Postgres', openDispatch],
  ['with the events in EventStoreDB', openReservedDispatch],
])('the place in line %s', (_, open) => {
  let dispatch: DispatchFixture;
  let queue: string;
  beforeAll(async () => void (dispatch = await open()));
  afterAll(() => dispatch.close());
  beforeEach(() => void (queue = `q-${uuidv7()}`));

  /** The clock of the retry's time may be ahead of the database's by some milliseconds. */
  const untilDue = () =>
    until('a task that is due', async () => {
      const { rows } = await dispatch.pool.query('select from waiting where queue = $1 and due_at > now()', [queue]);
      return rows.length === 0 || null;
    });

  const expire = async ({ taskId, token }: ClaimedTask) =>
    dispatch.command(taskId, {
      type: 'ExpireLease',
      token: parseClaimToken(token)!.token,
      policy: { ...DEFAULT_POLICY, ...RETRY },
      conflictingTaskId: null,
    } as never);

  const ways = [
    [
      'fails',
      async (claimed: ClaimedTask) => {
        await dispatch.settle([claimed], FAILS);
        await untilDue();
      },
    ],
    ['loses its worker', expire],
    ['is returned', (claimed: ClaimedTask) => dispatch.settle([claimed], { type: 'return' })],
    [
      'is held while it runs, and released',
      async (claimed: ClaimedTask) => {
        await dispatch.command(claimed.taskId, { type: 'HoldTask', reason: null } as never);
        await dispatch.settle([claimed], { type: 'confirmCancel' });
        await dispatch.command(claimed.taskId, { type: 'ReleaseTask' } as never);
      },
    ],
    [
      'is put back by an administrator',
      ({ taskId }: ClaimedTask) =>
        dispatch.command(taskId, {
          type: 'OverruleTask',
          verdict: 'requeue',
          reason: 'stuck',
          conflictingTaskId: null,
        } as never),
    ],
    [
      'is cancelled while it runs, and retried by a person',
      async (claimed: ClaimedTask) => {
        await dispatch.command(claimed.taskId, { type: 'CancelTask', reason: null, policy: DEFAULT_POLICY } as never);
        await dispatch.settle([claimed], { type: 'confirmCancel' });
        const retry = { type: 'RetryTask', step: null, override: false, heldBy: null };
        await dispatch.command(claimed.taskId, retry as never);
      },
    ],
  ] as const;

  type Way = [string, (claimed: ClaimedTask) => Promise<unknown>, Partial<QueuePolicy>];
  const rarer: readonly Way[] = [
    [
      'fails, and is retried by the decision of a person',
      async (claimed) => {
        await dispatch.settle([claimed], FAILS);
        await dispatch.command(claimed.taskId, { type: 'DecideRetry', heldBy: null } as never);
      },
      { onFailure: 'decide' },
    ],
    [
      'is to be held, so that it is not offered at its next step, and released',
      async (claimed) => {
        await dispatch.command(claimed.taskId, { type: 'HoldTask', reason: null } as never);
        await dispatch.settle([claimed], { type: 'completeStep', step: 'cut', then: 'offer' });
        await dispatch.command(claimed.taskId, { type: 'ReleaseTask' } as never);
      },
      { steps: ['cut', 'glue'] },
    ],
    [
      'is to be held, was not begun by its worker, and released',
      async (claimed) => {
        await dispatch.command(claimed.taskId, { type: 'HoldTask', reason: null } as never);
        await dispatch.settle([claimed], { type: 'return', unstarted: true });
        await dispatch.command(claimed.taskId, { type: 'ReleaseTask' } as never);
      },
      {},
    ],
    [
      'fails, waits long, and is brought forward',
      async (claimed) => {
        await dispatch.settle([claimed], { ...FAILS, retryAfterMs: 3_600_000 });
        await dispatch.command(claimed.taskId, { type: 'RescheduleTask', dueAt: null } as never);
      },
      {},
    ],
  ];

  it.each([...ways.map(([way, comeBack]): Way => [way, comeBack as Way[1], {}]), ...rarer])(
    'of a task that %s is behind those that waited by then',
    async (_way, comeBack, policy) => {
      await dispatch.define(queue, { ...RETRY, ...policy });
      const [first, second] = await dispatch.enqueue(queue, [{}, {}]);
      const [claimed] = await dispatch.claim(queue);
      await comeBack(claimed!);
      const [third] = await dispatch.enqueue(queue, [{}]);
      const order = (await dispatch.claim(queue, { max: 9 })).map(({ taskId }) => taskId);
      expect(order).toEqual([second, first, third]);
    },
  );

  const kept = [
    [
      'was held before its first turn',
      async (id: string) => {
        await dispatch.command(id, { type: 'HoldTask', reason: null } as never);
        await dispatch.command(id, { type: 'ReleaseTask' } as never);
      },
    ],
    [
      'was given back by a worker that did not begin it',
      async () => {
        await dispatch.settle(await dispatch.claim(queue), { type: 'return', unstarted: true });
      },
    ],
    ['had its payload amended', (id: string) => dispatch.command(id, { type: 'AmendPayload', payload: 2 } as never)],
  ] as const;

  it.each(kept)('of a task that %s stays', async (_way, touch) => {
    await dispatch.define(queue, RETRY);
    const [first, second] = await dispatch.enqueue(queue, [{}, {}]);
    await touch(first!);
    expect((await dispatch.claim(queue, { max: 9 })).map(({ taskId }) => taskId)).toEqual([first, second]);
  });

  it('of the second step of a task is that of the task, so that what began ends first', async () => {
    await dispatch.define(queue, { ...RETRY, steps: ['cut', 'glue'] });
    const [first, second] = await dispatch.enqueue(queue, [{}, {}]);
    await dispatch.settle(await dispatch.claim(queue), { type: 'completeStep', step: 'cut', then: 'offer' });
    expect((await dispatch.claim(queue, { max: 9 })).map(({ taskId }) => taskId)).toEqual([first, second]);
  });

  it.each(ways.slice(0, 3))(
    `lets ${FRESH} fresh tasks run among ${POISON} of which each %s again and again: each waits one round at most`,
    async (_way, comeBack) => {
      await dispatch.define(queue, RETRY);
      await dispatch.enqueue(
        queue,
        Array.from({ length: POISON }, () => ({ kind: 'poison' })),
      );
      const enqueuedAt = new Map<string, number>();
      const waited: number[] = [];
      for (let turn = 0; waited.length < FRESH && turn < FRESH + POISON; turn++) {
        if (enqueuedAt.size < FRESH) enqueuedAt.set((await dispatch.enqueue(queue, [{ kind: 'fresh' }]))[0]!, turn);
        for (const claimed of await dispatch.claim(queue, { max: SLOTS })) {
          if (!enqueuedAt.has(claimed.taskId)) await comeBack(claimed);
          else {
            await dispatch.settle([claimed]);
            waited.push(turn - enqueuedAt.get(claimed.taskId)!);
          }
        }
      }
      expect(waited).toHaveLength(FRESH);
      expect(Math.max(...waited)).toBeLessThanOrEqual((POISON + FRESH) / SLOTS + 1);
    },
  );

  describe('of a key whose failed task blocks those behind it', () => {
    const strict = { ...RETRY, duplicatePending: 'allow', onKeyFailure: 'block' } as const;
    const take = async () => (await dispatch.claim(queue, { max: 9 })).map(({ taskId }) => taskId);

    it('is not given to the next one because somebody holds the failed one', async () => {
      await dispatch.define(queue, strict);
      const [first, second] = await dispatch.enqueue(queue, [{ key: 'k' }, { key: 'k' }]);
      await dispatch.settle(await dispatch.claim(queue), { ...FAILS, retryAfterMs: 3_600_000 });
      expect(await take()).toEqual([]);
      await dispatch.command(first!, { type: 'HoldTask', reason: null } as never);
      expect(await take()).toEqual([]);
      await dispatch.command(first!, { type: 'CancelTask', reason: null, policy: DEFAULT_POLICY } as never);
      expect(await take()).toEqual([second]);
    });

    it('is not given to the next one because somebody holds the one that runs', async () => {
      await dispatch.define(queue, strict);
      const [first] = await dispatch.enqueue(queue, [{ key: 'k' }, { key: 'k' }]);
      const [claimed] = await dispatch.claim(queue);
      await dispatch.command(first!, { type: 'HoldTask', reason: null } as never);
      await dispatch.settle([claimed!], { type: 'confirmCancel' });
      expect(await take()).toEqual([]);
      await dispatch.command(first!, { type: 'ReleaseTask' } as never);
      expect(await take()).toEqual([first]);
    });

    it.each(ways.slice(0, 3))('stays that of a task that %s', async (_way, comeBack) => {
      await dispatch.define(queue, strict);
      const [first] = await dispatch.enqueue(queue, [{ key: 'k' }, { key: 'k' }]);
      await comeBack((await dispatch.claim(queue))[0]!);
      expect(await take()).toEqual([first]);
    });
  });
});
