import { uuidv7 } from 'uuidv7';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { NO_PAYLOAD_STORE } from '../../support/no-payload-store.js';
import { planAsInProduction } from '../../support/test-database.js';

planAsInProduction();

/** A queue's speed depends on the number of statements, which must not grow with the batch. */
describe('the number of statements', () => {
  let dispatch: DispatchFixture;
  const queue = `q-${uuidv7()}`;

  beforeAll(async () => {
    dispatch = await openDispatch();
    await dispatch.define(queue);
    // The queue's policy stays cached, because the two seconds after which it would be read again do not pass.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    await dispatch.enqueue(queue, [{}]);
    await dispatch.settle(await dispatch.claim(queue));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await dispatch.close();
  });

  async function statementsOf<T>(work: () => Promise<T>): Promise<{ statements: string[]; result: T }> {
    const statements: string[] = [];
    const deaf = dispatch.pool.onStatement((text) => statements.push(text));
    const result = await work();
    deaf();
    return { statements, result };
  }

  const tasksOf = (size: number) => Array.from({ length: size }, () => ({}));

  it.each([1, 10, 500])('is one to enqueue, two to claim and one to settle %i tasks', async (size) => {
    const enqueued = await statementsOf(() => dispatch.enqueue(queue, tasksOf(size)));
    expect(enqueued.statements).toEqual(['waybill_append']);
    const claimed = await statementsOf(() => dispatch.claim(queue, { max: size }));
    expect(claimed.statements).toEqual(['begin', 'waybill_pick', 'waybill_append', 'commit']);
    expect(claimed.result).toHaveLength(size);
    const settled = await statementsOf(() => dispatch.settle(claimed.result));
    expect(settled.statements).toEqual(['waybill_append']);
  });

  it('is the same to claim from a queue with fair shares', async () => {
    const fair = `q-${uuidv7()}`;
    await dispatch.define(fair, { fair: { label: 'tenant' } });
    await dispatch.enqueue(fair, tasksOf(2));
    await dispatch.claim(fair);
    const { statements, result } = await statementsOf(() => dispatch.claim(fair));
    expect(statements).toEqual(['begin', 'waybill_pick', 'waybill_append', 'commit']);
    expect(result).toHaveLength(1);
  });

  it('is one to enqueue a chain of tasks of one request', async () => {
    const ids = Array.from({ length: 300 }, () => uuidv7());
    const chain = ids.map((taskId, at) => ({ taskId, after: at === 0 ? [] : [{ task: ids[at - 1]! }] }));
    const chained = `q-${uuidv7()}`;
    await dispatch.define(chained);
    await dispatch.enqueue(chained, [{}]);
    const { statements, result } = await statementsOf(() => dispatch.enqueue(chained, chain.toReversed()));
    expect(statements).toEqual(['waybill_append']);
    expect(result).toEqual(ids.toReversed());
    const { rows } = await dispatch.pool.query(
      `select count(*)::int as n from prerequisites p join tasks t using (task_id) join tasks b on b.task_id = p.needs
       where t.task_id = any ($1) and b.position < t.position and not p.closed`,
      [ids],
    );
    expect(rows).toEqual([{ n: 299 }]);
  });

  it('is one more to settle what another process claimed', async () => {
    await dispatch.enqueue(queue, [{}, {}]);
    const claimedTasks = await dispatch.claim(queue, { max: 2 });
    const other = await openAnother(dispatch);
    const settled = await statementsOf(() => other(claimedTasks));
    expect(settled.statements).toEqual(['waybill_histories', 'waybill_append']);
  });

  it.each([1, 100])('comes with one look at the row of each of %i tasks in a claim and in a success', async (size) => {
    await dispatch.enqueue(queue, tasksOf(size));
    const before = await looks(dispatch);
    const claimed = await dispatch.claim(queue, { max: size });
    expect((await looks(dispatch)) - before).toBe(size);
    await dispatch.settle(claimed);
    expect((await looks(dispatch)) - before).toBe(2 * size);
  });

  it('is small for concurrent enqueues of single tasks', async () => {
    const { statements } = await statementsOf(() =>
      Promise.all(Array.from({ length: 200 }, () => dispatch.enqueue(queue, [{}]))),
    );
    expect(statements.length).toBeLessThanOrEqual(3);
  });
});

/** How often Postgres has looked for a task's row by its id. Each connection reports its looks when it is told to. */
async function looks({ pool }: DispatchFixture): Promise<number> {
  const connections = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
  await Promise.all(connections.map((connection) => connection.query('select pg_stat_force_next_flush()')));
  for (const connection of connections) connection.release();
  const { rows } = await pool.query(`select idx_scan from pg_stat_user_indexes where indexrelname = 'tasks_pkey'`);
  return Number(rows[0]!.idx_scan);
}

/** Settles like a process without a cached state. */
async function openAnother({ store, clock }: DispatchFixture) {
  const { DeciderRunner } = await import('../../../src/application/kernel/decider-runner.js');
  const { QueueDirectory } = await import('../../../src/application/kernel/queue-directory.js');
  const { SettleTasks, SettleTasksHandler } = await import('../../../src/application/claims/settle-tasks.handler.js');
  const { LateReports } = await import('../../../src/application/claims/late-reports.js');
  const [runner, queues] = [new DeciderRunner(store, NO_PAYLOAD_STORE), new QueueDirectory(store)];
  const handler = new SettleTasksHandler(runner, clock, queues, new LateReports(runner, queues), {
    asks: () => () => undefined,
    doesNotKnow: () => undefined,
  });
  return (claimedTasks: readonly { taskId: string; token: string }[]) =>
    handler.execute(
      new SettleTasks(
        claimedTasks.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' as const } })),
        { actor: 'other', correlationId: 'test' },
      ),
    );
}
