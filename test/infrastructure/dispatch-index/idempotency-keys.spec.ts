import { uuidv7 } from 'uuidv7';
import { EventStoreUnavailable } from '../../../src/application/kernel/event-store.port.js';
import { PostgresIdempotencyKeys } from '../../../src/infrastructure/dispatch-index/postgres-idempotency-keys.js';
import { ReservedIdempotencyKeys } from '../../../src/infrastructure/eventstoredb/reservations/reserved-idempotency-keys.js';
import { openReservedDispatch, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { defineQueue, enqueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { until } from '../../support/until.js';

let db: PostgresFixture;
beforeAll(async () => {
  db = await openPostgresStore();
  await db.store.append([defineQueue('q')]);
});
afterAll(() => db.close());

const lockAwaited = (): Promise<true> =>
  until('a statement to wait for a lock', async () => {
    const { rows } = await db.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0 ? true : null;
  });

it('an answer does not take a key that a concurrent append takes for another request', async () => {
  const key = uuidv7();
  const recorded = { key, item: 1, fingerprint: 'first', answer: 'recorded' };
  const existing = { key, item: 0, fingerprint: 'second', answer: 'existing' };
  const task = enqueue('q', {}, { idempotencyKey: recorded });
  const appending = await db.pool.connect();
  await appending.query('begin');
  let commit = (): void => undefined;
  const told = new Promise<void>((resolve) => (commit = resolve));
  const appended = new Promise<void>((resolve) => {
    const query = async (sent: { readonly text: string }) => {
      if (sent.text === 'commit') await told;
      const answer = await appending.query(sent);
      if (sent.text !== 'commit') resolve();
      return answer;
    };
    void db.store.commitWith({ query }, [task]).then(() => appending.release());
  });
  await appended;
  const answer = { ...existing, stream: task.stream, revision: 0, position: '1' };
  const remembered = new PostgresIdempotencyKeys(db.pool).remember([answer]);
  await Promise.race([remembered, lockAwaited()]);
  commit();
  expect(await remembered).toMatchObject([{ fingerprint: 'first' }]);
});

describe('given events in another store', () => {
  let dispatch: ReservedDispatch;
  let keys: ReservedIdempotencyKeys;
  beforeAll(async () => {
    dispatch = await openReservedDispatch();
    const { pool, index } = dispatch;
    keys = new ReservedIdempotencyKeys(pool, new PostgresIdempotencyKeys(pool), index);
    await dispatch.define('q');
  });
  afterAll(() => dispatch.close());

  /** An enqueue that takes a key, and the answer to another request under the same key. */
  const rivals = () => {
    const key = uuidv7();
    const task = enqueue('q', {}, { idempotencyKey: { key, item: 1, fingerprint: 'first', answer: 'recorded' } });
    const existing = { key, item: 0, fingerprint: 'second', answer: 'existing' };
    return { task, answer: { ...existing, stream: task.stream, revision: 0, position: '1' } };
  };

  /** Makes the append, but holds it back on its way to the store. Returns a function that lets it continue. */
  async function underWay(task: ReturnType<typeof enqueue>) {
    let goOn!: () => void;
    const hold = new Promise<void>((resolve) => (goOn = resolve));
    dispatch.server!.faults.planAppend({ kind: 'hold', until: hold }, (name) => name.endsWith(task.stream));
    const appended = dispatch.store.append([task]);
    await until('a reservation', async () => {
      const { rows } = await dispatch.pool.query('select 1 from reservations where name = $1', [task.stream]);
      return rows.length > 0 ? true : null;
    });
    return { appended, goOn };
  }

  const askedTwice = (): Promise<void> => {
    let asked = 0;
    return new Promise((resolve) => {
      dispatch.pool.onStatement((text) => text === 'waybill_remember' && ++asked === 2 && resolve());
    });
  };

  it('an answer waits for an append in progress that takes its key', async () => {
    const { task, answer } = rivals();
    const { appended, goOn } = await underWay(task);
    const twice = askedTwice();
    const remembered = keys.remember([answer]);
    await Promise.race([remembered, twice]);
    goOn();
    expect(await appended).toMatchObject([{ kind: 'appended' }]);
    expect(await remembered).toMatchObject([{ fingerprint: 'first' }]);
  });

  it('an answer takes its key after the append in progress was given up', async () => {
    const { task, answer } = rivals();
    await dispatch.reservations.reserve(task);
    const twice = askedTwice();
    const remembered = keys.remember([answer]);
    await Promise.race([remembered, twice]);
    await dispatch.reservations.release([task.events[0]!.id]);
    expect(await remembered).toEqual([null]);
  });

  it('an answer is not stored if it stays unknown whether an append takes its key', async () => {
    const { task, answer } = rivals();
    await dispatch.reservations.reserve(task);
    await expect(keys.remember([answer])).rejects.toThrow(EventStoreUnavailable);
  });
});
