import { randomUUID } from 'node:crypto';
import { externalLog } from '../../../src/infrastructure/eventstoredb/reservations/loaded-log.js';
import { uuidv7 } from 'uuidv7';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { IndexRebuild } from '../../../src/infrastructure/dispatch-index/index-rebuild.js';
import { openReservedDispatch, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { enqueue, item } from '../../support/events.js';
import { claimedTask, recordingOf, reserveClaim } from '../../support/reserved-claims.js';
import { until } from '../../support/until.js';

const withAnotherSecret = (token: string): string => `${token.split('.')[0]}.${randomUUID()}`;

describe('given events in another store and appends in progress, a rebuild of the index', () => {
  let dispatch: ReservedDispatch;
  let rebuild: IndexRebuild;
  let queue: string;

  beforeAll(async () => {
    dispatch = await openReservedDispatch();
    rebuild = new IndexRebuild(
      dispatch.pool,
      externalLog({ id: 'the store', log: dispatch.log, reactions: ['a-reaction'] }),
    );
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
  });

  const count = async (table: string): Promise<number> => {
    const column = table === 'reservations' ? 'scope' : 'queue';
    const { rows } = await dispatch.pool.query<{ n: number }>(
      `select count(*)::int as n from ${table} where ${column} = $1`,
      [queue],
    );
    return rows[0]!.n;
  };
  const awaited = async (task: string): Promise<number> =>
    (await dispatch.pool.query('select from prerequisites where needs = $1', [task])).rows.length;
  const checkpointOf = async (name: string): Promise<bigint> => {
    const { rows } = await dispatch.pool.query<{ position: string }>(
      `select position from projection_checkpoints where name = $1 and slot = 'live'`,
      [name],
    );
    return BigInt(rows[0]!.position);
  };

  it('applies what the follower has not seen, ends its reservations, and the follower continues after it', async () => {
    await dispatch.follower.stop();
    const idempotencyKey = { key: queue, item: 0, fingerprint: 'f', answer: 'recorded' };
    const one = enqueue(queue, { key: 'x' }, { idempotencyKey });
    await dispatch.reservations.reserve(one);
    await dispatch.log.append([one]);
    await rebuild.run();
    expect([await count('reservations'), await count('ready')]).toEqual([0, 1]);
    expect(await checkpointOf('dispatch-index')).toBe(await dispatch.log.head());
    dispatch.follower.start();
    expect((await dispatch.store.append([enqueue(queue, {}, { idempotencyKey })]))[0]).toMatchObject({
      constraint: 'idempotency-key',
    });
    expect(await dispatch.settle(await dispatch.claim(queue))).toMatchObject([{ kind: 'done' }]);
  });

  it('keeps the lease of a claim that is not recorded yet', async () => {
    const [taskId] = await dispatch.enqueue(queue, [{}]);
    let goOn!: () => void;
    const hold = new Promise<void>((resolve) => (goOn = resolve));
    dispatch.server!.faults.planAppend({ kind: 'hold', until: hold }, (name) => name.endsWith(taskStream(taskId!)));
    const claiming = dispatch.claim(queue);
    await until('the lease', async () => ((await count('leases')) === 1 ? true : null));
    await rebuild.run();
    expect([await count('leases'), await count('reservations')]).toEqual([1, 1]);
    goOn();
    const [claimedTask] = await claiming;
    expect(await dispatch.settle([claimedTask!])).toMatchObject([{ kind: 'done' }]);
    expect(await count('leases')).toBe(0);
  });

  it('keeps the lease of a claim of several tasks that is recorded in part, and not applied', async () => {
    await dispatch.enqueue(queue, [{}, {}, {}]);
    await dispatch.follower.stop();
    const claims = await reserveClaim(dispatch.pool, queue, 3);
    await dispatch.log.append([recordingOf(claims[0]!)]);
    await rebuild.run();
    expect([await count('leases'), await count('reservations')]).toEqual([3, 2]);
    const guess = { ...claimedTask(claims[0]!), token: withAnotherSecret(claims[0]!.token) };
    expect(await dispatch.settle([guess])).toMatchObject([{ kind: 'refused' }]);
    dispatch.follower.start();
    await dispatch.log.append(claims.slice(1).map(recordingOf));
    await dispatch.index.reached(await dispatch.log.head(), 10_000);
    const settled = await dispatch.settle(claims.map(claimedTask));
    expect(settled.map(({ kind }) => kind)).toEqual(['done', 'done', 'done']);
    expect([await count('leases'), await count('reservations')]).toEqual([0, 0]);
  });

  it.each(['stored', 'given up'])('keeps what a reserved task waits for, until the task is %s', async (outcome) => {
    const [first] = await dispatch.enqueue(queue, [{}]);
    const one = enqueue(queue, { after: [{ task: first! }] });
    expect(await dispatch.reservations.reserve(one)).toMatchObject({ kind: 'reserved' });
    await rebuild.run();
    expect(await awaited(first!)).toBe(1);
    const deletion = { type: 'TaskDeleted', version: 1, data: { queue, from: 'pending', by: 'ann' } };
    const deleted = item(taskStream(first!), 0, [deletion]);
    expect(await dispatch.reservations.reserve(deleted)).toMatchObject({ constraint: 'task-awaited' });
    if (outcome === 'stored') {
      await dispatch.log.append([one]);
      await until('the task', async () => ((await count('tasks')) === 2 ? true : null));
      expect(await dispatch.settle(await dispatch.claim(queue, { max: 2 }))).toMatchObject([{ kind: 'done' }]);
      await until('its turn', async () => ((await count('ready')) === 1 ? true : null));
      return;
    }
    await dispatch.reservations.release([one.events[0]!.id]);
    expect(await awaited(first!)).toBe(0);
    expect(await dispatch.reservations.reserve(deleted)).toMatchObject({ kind: 'reserved' });
  });

  it('makes no lease for a claim whose end is in the log, even if the follower was behind', async () => {
    const [taskId] = await dispatch.enqueue(queue, [{}]);
    const [claimedTask] = await dispatch.claim(queue);
    await dispatch.follower.stop();
    expect(await dispatch.settle([claimedTask!])).toMatchObject([{ kind: 'done' }]);
    await rebuild.run();
    dispatch.follower.start();
    expect([await count('leases'), await count('reservations')]).toEqual([0, 0]);
    const { rows } = await dispatch.pool.query('select state from tasks where task_id = $1', [taskId]);
    expect(rows).toEqual([{ state: 'succeeded' }]);
  });

  it('stores the missing part of a committed transaction whose reservations are lost', async () => {
    await dispatch.follower.stop();
    const items = [enqueue(queue), enqueue(queue), enqueue(queue)];
    const [id, { transactions, reservations, log }] = [uuidv7(), dispatch];
    const { at: recordedAt } = await reservations.reserveAsOne(id, items);
    await transactions.commit({ id, items, recordedAt });
    await log.append([items[0]!], { recordedAt, transaction: { id, item: 0 } });
    await dispatch.pool.query('delete from reservations');
    await rebuild.run();
    expect([await count('tasks'), await count('ready')]).toEqual([3, 3]);
    const stored = await log.readStreams(items.map(({ stream }) => stream));
    expect(stored.map((history) => history.map((event) => event.id))).toEqual(
      items.map(({ events }) => events.map((event) => event.id)),
    );
    expect(await checkpointOf('dispatch-index')).toBe(await log.head());
    dispatch.follower.start();
    expect(await dispatch.claim(queue, { max: 4 })).toHaveLength(3);
  });

  it('ignores fences of appends that never arrived', async () => {
    const lost = enqueue(queue, { key: 'x' });
    const fence = { type: 'TaskReservationAbandoned', version: 1, data: { queue, reservation: uuidv7() } };
    await dispatch.store.append([item(lost.stream, -1, [fence])]);
    const missing = `q-${uuidv7()}`;
    const queueFence = { ...fence, type: 'QueueReservationAbandoned', data: { ...fence.data, queue: missing } };
    await dispatch.store.append([item(`queue-${missing}`, -1, [queueFence])]);
    await rebuild.run();
    expect(await count('tasks')).toBe(0);
    const { rows } = await dispatch.pool.query('select 1 from queues where name = $1', [missing]);
    expect(rows).toEqual([]);
  });

  it('in a new database loses the random halves of tokens, so that the other half is enough until the claims end', async () => {
    await dispatch.enqueue(queue, [{}, {}]);
    const [one] = await dispatch.claim(queue, { max: 1 });
    const guessed = [{ taskId: one!.taskId, token: withAnotherSecret(one!.token) }];
    expect(await dispatch.settle(guessed)).toMatchObject([{ kind: 'refused', rejection: { code: 'LEASE_LOST' } }]);
    await dispatch.pool.query('truncate leases');
    await rebuild.run();
    expect(await dispatch.settle(guessed)).toMatchObject([{ kind: 'done' }]);
    const [next] = await dispatch.claim(queue, { max: 1 });
    const others = [{ taskId: next!.taskId, token: withAnotherSecret(next!.token) }];
    expect(await dispatch.settle(others)).toMatchObject([{ kind: 'refused', rejection: { code: 'LEASE_LOST' } }]);
    expect(await dispatch.settle([next!])).toMatchObject([{ kind: 'done' }]);
  });

  it('ties the database to the store, and lets new reactions begin at the end of the log', async () => {
    const { rows } = await dispatch.pool.query('select id from event_store');
    expect(rows).toEqual([{ id: 'the store' }]);
    expect(await checkpointOf('a-reaction')).toBeGreaterThan(0n);
  });
});
