import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { holdDecider } from '../../../src/domain/hold/hold.decider.js';
import { holdStream } from '../../../src/domain/hold/hold.stream.js';
import { CONTEXT, type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';
import { until } from '../../support/until.js';

const STEPS = ['fetch', 'check', 'store'];

describe.each([
  ['with the events in Postgres', openDispatch],
  ['with the events in EventStoreDB', openReservedDispatch],
])('a claim by step %s', (_, open) => {
  let dispatch: DispatchFixture;
  let queue: string;

  beforeAll(async () => {
    dispatch = await open();
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue, { steps: STEPS });
  });

  const idsOf = (tasks: readonly { readonly taskId: string }[]) => tasks.map(({ taskId }) => taskId);
  const claimAt = (steps: readonly string[] | undefined, max = 10) =>
    dispatch.claim(queue, { max, ...(steps && { steps }) });

  /** Lets any worker claim the tasks for the next step. */
  const offer = (tasks: readonly ClaimedTask[]) =>
    dispatch.settle(tasks, { type: 'completeStep', step: tasks[0]!.step!, then: 'offer' });

  it('given tasks at several steps, gets only those at its own, and a claim without steps gets the others', async () => {
    const [first, second, third] = await dispatch.enqueue(queue, [{}, {}, {}]);
    await offer(await claimAt(['fetch'], 1));
    expect(idsOf(await claimAt(['store']))).toEqual([]);
    expect(await claimAt(['check'])).toMatchObject([{ taskId: first, step: 'check', lastSuccessfulStep: 'fetch' }]);
    expect(idsOf(await claimAt(undefined))).toEqual([second, third]);
  });

  it('merges the lanes of its steps by priority and age', async () => {
    const [older, high, low] = await dispatch.enqueue(queue, [{}, { priority: 5 }, { priority: -1 }]);
    const [younger] = await dispatch.enqueue(queue, [{}]);
    await offer((await claimAt(undefined, 2)).filter(({ taskId }) => taskId === older));
    await dispatch.command(high!, {
      type: 'OverruleTask',
      verdict: 'requeue',
      reason: 'x',
      conflictingTaskId: null,
    } as never);
    expect(idsOf(await claimAt(['fetch', 'check']))).toEqual([high, older, younger, low]);
  });

  it('takes part of the tasks that were submitted together, whichever lane it looks at', async () => {
    const ids = await dispatch.enqueue(
      queue,
      Array.from({ length: 10 }, () => ({})),
    );
    expect(idsOf(await claimAt(['fetch'], 3))).toEqual(ids.slice(0, 3));
    await dispatch.command(ids[5]!, { type: 'ReprioritiseTask', priority: 1 } as never);
    expect(idsOf(await claimAt(['fetch'], 3))).toEqual([ids[5], ids[3], ids[4]]);
    expect(idsOf(await claimAt(undefined))).toEqual(ids.slice(6));
  });

  it('serves claims for different steps that wait together, each with its own tasks', async () => {
    const [first, second] = await dispatch.enqueue(queue, [{}, {}]);
    await offer(await claimAt(undefined, 1));
    const claims = await Promise.all([claimAt(['check'], 1), claimAt(['fetch'], 1), claimAt(['store'], 1)]);
    expect(claims.map(idsOf)).toEqual([[first], [second], []]);
  });

  it('given that it waits, gets a task once one comes to its step', async () => {
    const waiting = dispatch.claim(queue, { steps: ['check'], waitMs: 60_000 });
    const [id] = await dispatch.enqueue(queue, [{}]);
    const [task] = await until('the task', async () => (await claimAt(['fetch'])).slice(0, 1));
    await offer([task!]);
    expect(idsOf(await waiting)).toEqual([id]);
  });

  it('given claims that wait for other steps, does not look for them', async () => {
    const ends = new AbortController();
    const others = dispatch.claim(queue, { steps: ['store'], waitMs: 60_000, signal: ends.signal });
    const waiting = dispatch.claim(queue, { steps: ['check'], waitMs: 60_000 });
    await until('both to wait', async () => (await dispatch.claim(queue, { steps: ['store', 'check'] })).length === 0);
    const looks = jest.spyOn(dispatch.claims, 'serve');
    await dispatch.enqueue(queue, [{}]);
    await offer(await claimAt(['fetch']));
    expect(await waiting).toHaveLength(1);
    expect(looks.mock.calls.map(([, [request]]) => request!.steps)).toEqual([['fetch'], ['check']]);
    ends.abort();
    await others;
  });

  it('finds a task of its step that became due behind due tasks of other steps', async () => {
    const dueAt = new Date(Date.now() - 60_000).toISOString();
    await dispatch.enqueue(queue, [
      { dueAt, priority: 5 },
      { dueAt, priority: 5 },
      { dueAt, priority: 5 },
    ]);
    const [task] = await claimAt(undefined, 1);
    await offer([task!]);
    await dispatch.command(task!.taskId, { type: 'RescheduleTask', dueAt } as never);
    expect(idsOf(await claimAt(['check'], 1))).toEqual([task!.taskId]);
  });

  it('carries out a hold on the tasks of its step only', async () => {
    const [first, second] = await dispatch.enqueue(queue, [{ labels: { queue } }, { labels: { queue } }]);
    await offer(await claimAt(undefined, 1));
    const command = { type: 'PlaceHold', hold: queue, selector: { labels: { queue } }, reason: null } as const;
    const given = { ...command, now: '2026-01-01T00:00:00.000Z', by: 'ann', mayErase: true };
    await dispatch.runner.run(holdDecider, { stream: holdStream(queue), command: given, load: 'whole' }, CONTEXT);
    expect(await claimAt(['check'])).toEqual([]);
    expect(await statesOf([first!, second!])).toEqual(['held', 'pending']);
  });

  it('refuses a step that the queue does not have', async () => {
    await expect(claimAt(['fetch', 'paint'])).rejects.toMatchObject({
      rejection: { code: 'STEP_UNKNOWN', step: 'paint', steps: STEPS },
    });
  });

  async function statesOf(ids: readonly string[]): Promise<readonly string[]> {
    const { rows } = await dispatch.pool.query('select task_id, state from tasks where task_id = any ($1)', [ids]);
    return ids.map((id) => (rows as { task_id: string; state: string }[]).find(({ task_id }) => task_id === id)!.state);
  }
});
