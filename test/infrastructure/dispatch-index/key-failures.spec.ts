import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import type { Verdict } from '../../../src/application/claims/settle-tasks.handler.js';
import { DEFAULT_POLICY, type QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { openFollowedDispatch } from '../../support/followed-dispatch.js';

const BLOCKING = { duplicatePending: 'allow', onKeyFailure: 'block' } as const;
const FAIL: Verdict = { type: 'fail', error: { message: 'no space left' } };
/** No retry is due while a test runs. */
const LATE: QueuePolicy['retry'] = {
  ...DEFAULT_POLICY.retry,
  backoff: { kind: 'fixed', baseMs: 3_600_000, factor: 1, capMs: 3_600_000, jitter: 'none' },
};
const BY_HAND = {
  retried: { type: 'RetryTask', step: null, override: false, heldBy: null },
  cancelled: { type: 'CancelTask', reason: null, onRunning: 'cancel' },
  aborted: { type: 'AbortTask', reason: null },
  deleted: { type: 'DeleteTask', force: false },
  superseded: { type: 'SupersedeTask', bySuccessOf: 'x' },
} as const;

const STORES = [
  ['in Postgres', openDispatch],
  ['in EventStoreDB', openFollowedDispatch],
] as const;

describe.each(STORES)('a key with tasks in line, with events %s', (_, open) => {
  let dispatch: DispatchFixture;
  let queue: string;
  beforeAll(async () => {
    dispatch = await open();
  });
  afterAll(() => dispatch.close());
  beforeEach(() => {
    queue = `q-${uuidv7()}`;
  });

  const taken = async (): Promise<string[]> => idsOf(await dispatch.claim(queue, { max: 9 }));
  const enqueue = (...keys: string[]) =>
    dispatch.enqueue(
      queue,
      keys.map((key) => ({ key })),
    ) as Promise<[string, string, string]>;
  const give = (id: string, by: keyof typeof BY_HAND) => dispatch.command(id, BY_HAND[by] as never);

  /** Tasks of one key, the first of which has failed its first attempt. */
  async function afterFailure(policy: Partial<QueuePolicy> = {}): Promise<[string, string, string]> {
    await dispatch.define(queue, { ...BLOCKING, ...policy });
    const ids = await enqueue('x', 'x', 'x');
    await dispatch.settle(await dispatch.claim(queue), FAIL);
    return ids;
  }

  /** Claims and completes tasks until there are none. Returns their ids in order. */
  async function worked(): Promise<string[]> {
    const ids: string[] = [];
    for (
      let claimedTasks = await dispatch.claim(queue);
      claimedTasks.length > 0;
      claimedTasks = await dispatch.claim(queue)
    ) {
      ids.push(...idsOf(claimedTasks));
      await dispatch.settle(claimedTasks);
    }
    return ids;
  }

  it('blocks the later tasks while one has failed, and no other key', async () => {
    await afterFailure();
    expect(await taken()).toEqual([]);
    const [, other] = await enqueue('x', 'y');
    expect(await taken()).toEqual([other]);
  });

  it.each(['fail', 'retry'] as const)(
    'blocks those behind a failed one (onFailure: %s) when one before it, which was held meanwhile, succeeds',
    async (onFailure) => {
      await dispatch.define(queue, { ...BLOCKING, onFailure, retry: LATE });
      const [first, second, third] = await enqueue('x', 'x', 'x');
      await dispatch.command(first, { type: 'HoldTask', reason: null } as never);
      const failing = await dispatch.claim(queue);
      expect(idsOf(failing)).toEqual([second]);
      await dispatch.settle(failing, FAIL);
      await dispatch.command(first, { type: 'ReleaseTask' } as never);
      const [claimed] = await dispatch.claim(queue, { max: 9 });
      expect(claimed!.taskId).toBe(first);
      await dispatch.settle([claimed!]);
      expect(await taken()).toEqual([]);
      await give(second, 'aborted');
      expect(await taken()).toEqual([third]);
    },
  );

  it('blocks tasks that are enqueued after the failure', async () => {
    await dispatch.define(queue, BLOCKING);
    const [failed] = await enqueue('x');
    await dispatch.settle(await dispatch.claim(queue), FAIL);
    const [later] = await enqueue('x');
    expect(await taken()).toEqual([]);
    await give(failed, 'aborted');
    expect(await taken()).toEqual([later]);
  });

  it('blocks a task that is enqueued after a failure under an earlier policy', async () => {
    await dispatch.define(queue, { duplicatePending: 'allow' });
    await enqueue('x');
    await dispatch.settle(await dispatch.claim(queue), FAIL);
    await dispatch.changePolicy(queue, BLOCKING);
    await enqueue('x');
    expect(await taken()).toEqual([]);
  });

  it('gives out the failed task first when it is retried, and then the later ones', async () => {
    const ids = await afterFailure();
    expect(await give(ids[0], 'retried')).toBe('accepted');
    expect(await worked()).toEqual(ids);
  });

  it.each(['aborted', 'deleted', 'superseded'] as const)('is free again when the failed task is %s', async (how) => {
    const [failed, ...later] = await afterFailure();
    expect(await give(failed, how)).toBe('accepted');
    expect(await worked()).toEqual(later);
  });

  it('waits for the decision on an undecided task', async () => {
    const ids = await afterFailure({ onFailure: 'decide' });
    expect(await taken()).toEqual([]);
    await dispatch.command(ids[0], { type: 'DecideRetry', heldBy: null } as never);
    expect(await worked()).toEqual(ids);
  });

  it('is blocked until the automatic retry, or until that task is cancelled', async () => {
    const ids = await afterFailure({ onFailure: 'retry', retry: LATE });
    await enqueue('x');
    expect(await taken()).toEqual([]);
    await dispatch.command(ids[0], { type: 'RescheduleTask', dueAt: null } as never);
    await dispatch.settle(await dispatch.claim(queue), FAIL);
    expect(await taken()).toEqual([]);
    await give(ids[0], 'cancelled');
    expect(await taken()).toEqual([ids[1]]);
  });

  it('is not blocked by a task that is not due and was never claimed', async () => {
    await dispatch.define(queue, BLOCKING);
    await dispatch.enqueue(queue, [{ key: 'x', dueAt: '2999-01-01T00:00:00.000Z' }]);
    const [later] = await enqueue('x');
    expect(await taken()).toEqual([later]);
  });

  // With the events in EventStoreDB, a claim that finds another policy gives its task back, which then stands in line.
  if (open === openDispatch)
    it('gives out an earlier task before the failed one', async () => {
      await dispatch.define(queue, { duplicatePending: 'allow' });
      const [first, second, third] = await enqueue('x', 'x', 'x');
      await dispatch.settle(await dispatch.claim(queue), FAIL);
      await dispatch.settle(await dispatch.claim(queue), FAIL);
      await dispatch.changePolicy(queue, BLOCKING);
      await give(second, 'retried');
      const claimedTasks = await dispatch.claim(queue, { max: 9 });
      expect(idsOf(claimedTasks)).toEqual([third]); // it was ready under the earlier policy
      await dispatch.settle(claimedTasks);
      expect(await taken()).toEqual([]);
      await give(first, 'retried');
      expect(await worked()).toEqual([first, second]);
    });

  it('is blocked until the policy says otherwise', async () => {
    const [, second] = await afterFailure();
    await dispatch.changePolicy(queue, { duplicatePending: 'allow', onKeyFailure: 'continue' });
    expect(await taken()).toEqual([second]);
  });

  it('gives out what came together by priority, whichever came first', async () => {
    await dispatch.define(queue, { duplicatePending: 'allow' });
    const [low, later, high] = await dispatch.enqueue(queue, [
      { key: 'x' },
      { key: 'x' },
      { key: 'x', priority: 5 },
      { key: 'y' },
    ]);
    const claimed = await dispatch.claim(queue, { max: 9 });
    expect(idsOf(claimed)[0]).toBe(high);
    await dispatch.settle(claimed);
    expect(await worked()).toEqual([low, later]);
  });

  it('has one waiting place, which a claim leaves', async () => {
    await dispatch.define(queue, { duplicatePending: 'refuse' });
    const [first] = await enqueue('x');
    expect(await enqueue('x', 'y')).toEqual(['KEY_ALREADY_WAITING', expect.stringMatching(/-/)]);
    const claimed = await dispatch.claim(queue, { max: 9 });
    const [second] = await enqueue('x');
    expect(await enqueue('x', 'y')).toEqual(['KEY_ALREADY_WAITING', expect.stringMatching(/-/)]);
    await dispatch.settle(claimed);
    expect(idsOf(claimed)).toContain(first);
    expect(await worked()).toContain(second);
  });

  it('is not blocked if the policy says so', async () => {
    const [, second] = await afterFailure({ onKeyFailure: 'continue' });
    expect(await taken()).toEqual([second]);
  });
});

const idsOf = (claimedTasks: readonly ClaimedTask[]): string[] => claimedTasks.map(({ taskId }) => taskId);
