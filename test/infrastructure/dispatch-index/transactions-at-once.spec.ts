import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import {
  type AppendItem,
  type AppendResult,
  EventStoreUnavailable,
  type RecordedEvent,
} from '../../../src/application/kernel/event-store.port.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { externalLog } from '../../../src/infrastructure/eventstoredb/reservations/loaded-log.js';
import { OpenTransactions } from '../../../src/infrastructure/eventstoredb/reservations/open-transactions.js';
import { IndexRebuild } from '../../../src/infrastructure/dispatch-index/index-rebuild.js';
import { openReservedDispatch, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { enqueue, item } from '../../support/events.js';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { openStore, type StoreFixture } from '../../support/eventstoredb/open-store.js';
import { until } from '../../support/until.js';

const PATIENCE_MS = 60_000;

const kinds = (results: readonly AppendResult[]): string[] => results.map(({ kind }) => kind);
const idsOf = (items: readonly AppendItem[]): string[] => items.flatMap(({ events }) => events.map(({ id }) => id));

/** Appends to several streams as one, in a store that stores them at once. */
describe('a transaction on a server with append sessions', () => {
  let server: EventStoreDbFixture;
  let dispatch: ReservedDispatch;
  let queue: string;

  beforeAll(async () => {
    server = await EventStoreDbFixture.start({ scheme: 'kurrentdb', release: '25.1.4' });
    dispatch = await openReservedDispatch({ url: server.url });
  });
  afterAll(async () => {
    await dispatch.close();
    await server.stop();
  });
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
    server.sessions = 0;
  });

  const asOne = (...items: AppendItem[]): Promise<readonly AppendResult[]> =>
    dispatch.store.append(items, { atomic: true });
  const only = async (one: AppendItem): Promise<AppendResult> => (await dispatch.store.append([one]))[0]!;
  const historyOf = async ({ stream }: { readonly stream: string }): Promise<readonly RecordedEvent[]> =>
    (await dispatch.log.readStreams([stream]))[0]!;
  const typesOf = async (of: { readonly stream: string }): Promise<string[]> =>
    (await historyOf(of)).map(({ event }) => event.type);
  const storedAfter = (known: number): string[] => server.log.ordinary.slice(known).map(({ id }) => id);
  const commits = (): number => server.log.ordinary.filter(({ stream }) => stream.includes('transaction-')).length;
  const count = async (table: 'tasks' | 'reservations'): Promise<number> => {
    const column = table === 'reservations' ? 'scope' : 'queue';
    const text = `select count(*)::int as n from ${table} where ${column} = $1`;
    return (await dispatch.pool.query<{ n: number }>(text, [queue])).rows[0]!.n;
  };
  const countIs = (table: 'tasks' | 'reservations', n: number): Promise<true> =>
    until(`${n} ${table}`, async () => ((await count(table)) === n ? true : null), PATIENCE_MS);
  const passDeadlines = () =>
    dispatch.pool.query(
      `update reservations set deadline = now() - interval '1 second'
       where transaction in (select transaction from reservations where scope = $1)`,
      [queue],
    );
  const cancel = (stream: string) =>
    item(stream, 0, [{ type: 'TaskCancelled', version: 1, data: { queue, from: 'pending', by: 'x' } }]);
  const prioritise = (stream: string, expected: number) =>
    item(stream, expected, [{ type: 'TaskReprioritised', version: 1, data: { queue, priority: 3, previous: 0 } }]);

  /** Holds the next append to the stream back, as if its process stalled. */
  function stall({ stream }: AppendItem): { readonly held: Promise<void>; readonly goOn: () => void } {
    let [give, goOn] = [(): void => undefined, (): void => undefined];
    const held = new Promise<void>((resolve) => (give = resolve));
    const hold = new Promise<void>((resolve) => (goOn = resolve));
    server.faults.planAppend({ kind: 'hold', until: hold }, (name) => name.endsWith(stream) && (give(), true));
    return { held, goOn };
  }

  /** The process with which it was begun is gone; the log is as it was left. */
  async function abandoned(stored: boolean, ...items: AppendItem[]): Promise<void> {
    const [id, bare] = [uuidv7(), items.map(({ stream, expected, events }) => ({ stream, expected, events }))];
    const { at: recordedAt, problems } = await dispatch.reservations.reserveAsOne(id, items, 0);
    expect(problems.size).toBe(0);
    if (stored) await dispatch.transactions.storeAtOnce({ id, items: bare, recordedAt });
  }

  describe('that the server takes at once', () => {
    it('is one append in the order of its commands, without an event of its own or a read of what it changes', async () => {
      const created = enqueue(queue);
      const items = [enqueue(queue), created, prioritise(created.stream, 0), enqueue(queue)];
      const known = server.log.ordinary.length;
      const [appends, reads] = [jest.spyOn(dispatch.log, 'append'), jest.spyOn(dispatch.log, 'readLast')];
      expect(kinds(await asOne(...items))).toEqual(items.map(() => 'appended'));
      expect([server.sessions, appends.mock.calls.length, reads.mock.calls.length]).toEqual([1, 0, 0]);
      expect(storedAfter(known)).toEqual(idsOf(items));
      const { rows } = await dispatch.pool.query('select priority from tasks where task_id = $1', [
        created.stream.slice('task-'.length),
      ]);
      expect([await count('tasks'), await count('reservations'), rows]).toEqual([3, 0, [{ priority: 3 }]]);
      appends.mockRestore();
      reads.mockRestore();
    });

    it('answers with the position of its last event, and is in the index then', async () => {
      const items = [enqueue(queue), enqueue(queue), item(`queue-${queue}`, 0, [])];
      const results = await asOne(...items);
      const [last] = await historyOf(items[1]!);
      const { recordedAt, position } = last!;
      expect(results).toEqual([0, 0, 0].map((revision) => ({ kind: 'appended', position, recordedAt, revision })));
      expect([await count('tasks'), await count('reservations')]).toEqual([2, 0]);
      expect((await dispatch.claim(queue, { max: 3 })).map(({ taskId }) => taskStream(taskId))).toEqual(
        items.slice(0, 2).map(({ stream }) => stream),
      );
    });

    it('reserves what it only read until it is stored, and is refused if that has moved', async () => {
      const [looked] = await dispatch.enqueue(queue, [{}]);
      const [first, second] = [enqueue(queue), enqueue(queue)];
      const { held, goOn } = stall(second);
      const storing = asOne(item(taskStream(looked!), 0, []), first, second);
      await held;
      const cancelling = only(cancel(taskStream(looked!)));
      goOn();
      expect(kinds([...(await storing), await cancelling])).toEqual(Array(4).fill('appended'));
      const late = enqueue(queue);
      expect(await asOne(item(taskStream(looked!), 0, []), late, enqueue(queue))).toEqual([
        { kind: 'conflict', actual: 1 },
        { kind: 'conflict', actual: -1 },
        { kind: 'conflict', actual: -1 },
      ]);
      expect([await typesOf(late), await count('reservations')]).toEqual([[], 0]);
    });

    it('is refused as a whole if a stream has moved without the index knowing it', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{}]);
      const stream = taskStream(taskId!);
      await dispatch.follower.stop();
      await dispatch.log.append([cancel(stream)]);
      const created = enqueue(queue);
      expect(await asOne(created, cancel(stream))).toEqual([
        { kind: 'conflict', actual: -1 },
        { kind: 'conflict', actual: 1 },
      ]);
      dispatch.follower.start();
      expect([await typesOf(created), await count('reservations')]).toEqual([[], 0]);
    });

    it('given again, is answered as stored before', async () => {
      const items = [enqueue(queue), enqueue(queue)];
      await asOne(...items);
      expect(kinds(await asOne(...items))).toEqual(['duplicate', 'duplicate']);
      expect([await count('tasks'), await count('reservations')]).toEqual([2, 0]);
    });
  });

  describe('that the server does not take at once', () => {
    const storedByParts = async (...items: AppendItem[]): Promise<readonly AppendResult[]> => {
      const before = commits();
      const results = await asOne(...items);
      expect(kinds(results)).toEqual(items.map(() => 'appended'));
      expect([commits() - before, await count('reservations')]).toEqual([1, 0]);
      return results;
    };

    it('because a stream comes again after another one, is committed by an event, and keeps its order', async () => {
      const created = enqueue(queue);
      const results = await storedByParts(created, enqueue(queue), prioritise(created.stream, 0));
      const positions = results.map((result) => (result as { position: bigint }).position);
      expect(positions).toEqual(positions.toSorted((one, other) => Number(one - other)));
      expect(server.sessions).toBe(0);
    });

    it('because names of its streams differ by case only, is committed by an event', async () => {
      const define = (name: string) =>
        item(`queue-${name}`, -1, [
          { type: 'QueueDefined', version: 1, data: { queue: name, description: '', policy: {}, policyVersion: 1 } },
        ]);
      await storedByParts(define(`${queue}-a`), define(`${queue}-A`));
    });

    it('because it is larger than it may be at once, is committed by an event', async () => {
      const sessions = jest.spyOn(dispatch.log, 'appendAtOnce').mockResolvedValueOnce({ kind: 'not taken' });
      await storedByParts(enqueue(queue), enqueue(queue));
      sessions.mockRestore();
    });
  });

  describe('whose process stops', () => {
    it('before it is stored, has its fence in one of its streams, and the others are free again', async () => {
      const [first, second] = [enqueue(queue, { key: 'x' }), enqueue(queue, { key: 'y' })];
      await abandoned(false, first, second);
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      expect(await count('reservations')).toBe(0);
      expect([await typesOf(first), await typesOf(second)]).toEqual([['TaskReservationAbandoned'], []]);
      expect(kinds([await only(second), await only(enqueue(queue, { key: 'x' }))])).toEqual(['appended', 'appended']);
    });

    it('before it is stored, and wakes up late, is refused as a whole', async () => {
      const [first, second] = [enqueue(queue), enqueue(queue)];
      const { held, goOn } = stall(second);
      const late = asOne(first, second);
      await held;
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      goOn();
      expect(await late).toEqual([
        { kind: 'conflict', actual: 0 },
        { kind: 'conflict', actual: -1 },
      ]);
      expect([await typesOf(second), await count('tasks')]).toEqual([[], 0]);
    });

    it('before it is stored, is given up once, even if the cleaner stops between the fence and the release', async () => {
      const [first, second] = [enqueue(queue), enqueue(queue)];
      await abandoned(false, first, second);
      await passDeadlines();
      const released = jest.spyOn(dispatch.reservations, 'releaseOverdue').mockResolvedValueOnce();
      await dispatch.cleaner.clean();
      expect(await count('reservations')).toBe(2);
      expect(await dispatch.cleaner.clean()).toBe(1);
      released.mockRestore();
      expect([await count('reservations'), (await typesOf(first)).length]).toEqual([0, 1]);
    });

    it('after it was stored, is applied as a whole, and its idempotency key is taken', async () => {
      const idempotencyKey = { key: queue, item: 0, fingerprint: 'f', answer: 'recorded' };
      const items = [enqueue(queue, { key: 'x' }), enqueue(queue, {}, { idempotencyKey })];
      await abandoned(true, ...items);
      await countIs('tasks', 2);
      expect(await count('reservations')).toBe(0);
      expect(await only(enqueue(queue, {}, { idempotencyKey }))).toMatchObject({ constraint: 'idempotency-key' });
    });

    it('after it was stored, keeps its reservations until the index has all of it', async () => {
      await dispatch.follower.stop();
      const items = [enqueue(queue), enqueue(queue)];
      await abandoned(true, ...items);
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(0);
      expect(await count('reservations')).toBe(2);
      dispatch.follower.start();
      await countIs('tasks', 2);
      expect(await count('reservations')).toBe(0);
      expect(await Promise.all(items.map(typesOf))).toEqual([['TaskEnqueued'], ['TaskEnqueued']]);
    });
  });

  describe('that gets no answer', () => {
    let other: StoreFixture;
    const open = async (retryMs: number): Promise<void> => {
      other = await openStore({
        url: server.url,
        prefix: dispatch.prefix,
        databaseUrl: dispatch.databaseUrl,
        attemptMs: 500,
        retryMs,
      });
    };

    it.each(['drop', 'lose', 'timeout'] as const)('because of the fault "%s", is stored once', async (kind) => {
      await open(60_000);
      const items = [enqueue(queue), enqueue(queue)];
      server.faults.planAppend({ kind }, (name) => name.endsWith(items[1]!.stream));
      expect(kinds(await other.store.append(items, { atomic: true }))).toEqual(['appended', 'appended']);
      expect(await Promise.all(items.map(typesOf))).toEqual([['TaskEnqueued'], ['TaskEnqueued']]);
      expect(commits()).toBe(commitsBefore);
      await other.close();
    });

    it('for as long as it may be tried, is unknown to its caller, and given up by the cleaner', async () => {
      await open(0);
      const items = [enqueue(queue), enqueue(queue)];
      server.faults.planAppend({ kind: 'lose' }, (name) => name.endsWith(items[1]!.stream));
      await expect(other.store.append(items, { atomic: true })).rejects.toThrow(EventStoreUnavailable);
      expect(await count('reservations')).toBe(2);
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      expect([await count('reservations'), await count('tasks')]).toEqual([0, 0]);
      await other.close();
    });

    let commitsBefore: number;
    beforeEach(() => {
      commitsBefore = commits();
    });
  });

  describe('that is read again', () => {
    const many = (): AppendItem[] => Array.from({ length: 130 }, () => enqueue(queue));

    it('is found around its last append by a follower that has seen only that', async () => {
      const items = many();
      await only(enqueue(queue));
      await asOne(...items);
      await only(enqueue(queue));
      for (const at of [0, 60, 129]) {
        const [event] = await historyOf(items[at]!);
        const appends = await dispatch.transactions.read(event!);
        expect(appends.flat().map(({ id }) => id)).toEqual(idsOf(items));
      }
      const [last] = await historyOf(items.at(-1)!);
      const { appends } = await new OpenTransactions(dispatch.transactions).add(last!.transaction!, [last!]);
      expect(appends.flat().map(({ id }) => id)).toEqual(idsOf(items));
    });

    it.each([0, 1, 2])('is applied as a whole if append %s is skipped by the server', async (at) => {
      const items = [enqueue(queue), enqueue(queue), enqueue(queue)];
      server.faults.skipEvent(({ stream }) => stream.endsWith(items[at]!.stream));
      await dispatch.store.append(items, { atomic: true });
      await passDeadlines();
      await until(
        'all of it',
        async () => {
          await dispatch.cleaner.clean();
          return (await count('tasks')) === 3 ? true : null;
        },
        PATIENCE_MS,
      );
      expect(await count('reservations')).toBe(0);
    });

    it('gives the same index to a new database, by its follower and by a rebuild', async () => {
      const [taskId] = await dispatch.enqueue(queue, [{ key: 'x' }]);
      await asOne(cancel(taskStream(taskId!)), enqueue(queue, { key: 'x' }), enqueue(queue));
      const rows = async ({ pool }: Pick<StoreFixture, 'pool'>): Promise<unknown[]> =>
        (
          await pool.query(`select task_id, state, priority, seq, revision from tasks where queue = $1 order by 1`, [
            queue,
          ])
        ).rows;
      const expected = await rows(dispatch);
      expect(expected).toHaveLength(3);
      const twin = await openStore({ url: server.url, prefix: dispatch.prefix });
      await twin.index.reached(await dispatch.log.head(), PATIENCE_MS);
      expect(await rows(twin)).toEqual(expected);
      await twin.follower.stop();
      await new IndexRebuild(twin.pool, externalLog({ id: 'the store', log: twin.log, reactions: [] })).run();
      expect(await rows(twin)).toEqual(expected);
      await twin.close();
    });
  });

  describe('beside processes that do not know append sessions', () => {
    let old: ReservedDispatch;
    beforeAll(async () => {
      const { prefix, databaseUrl } = dispatch;
      old = await openReservedDispatch({ url: server.url.replace('kurrentdb:', 'esdb:'), prefix, databaseUrl });
    });
    afterAll(() => old.close());

    it('is given up by one of them if its process stops', async () => {
      const items = [enqueue(queue), enqueue(queue)];
      const { held, goOn } = stall(items[1]!);
      const late = asOne(...items);
      await held;
      await passDeadlines();
      expect(await old.cleaner.clean()).toBe(1);
      goOn();
      expect(kinds(await late)).toEqual(['conflict', 'conflict']);
      expect([await count('reservations'), await count('tasks')]).toEqual([0, 0]);
    });

    it('and was committed by one of them that has stopped, is stored by this one', async () => {
      const items = [enqueue(queue), enqueue(queue), enqueue(queue)];
      const id = uuidv7();
      const { at: recordedAt } = await old.reservations.reserveAsOne(id, items);
      await old.transactions.commit({ id, items, recordedAt });
      await old.log.append([items[0]!], { recordedAt, transaction: { id, item: 0, of: 3 } });
      await passDeadlines();
      await dispatch.cleaner.clean();
      await countIs('tasks', 3);
      expect([await count('reservations'), server.sessions]).toEqual([0, 0]);
    });

    it('and they store transactions one after the other', async () => {
      const [mine, theirs] = [
        [enqueue(queue), enqueue(queue)],
        [enqueue(queue), enqueue(queue)],
      ];
      expect(kinds(await asOne(...mine))).toEqual(['appended', 'appended']);
      const changes = mine.map(({ stream }) => cancel(stream));
      expect(kinds(await old.store.append([...changes, ...theirs], { atomic: true }))).toEqual(
        Array(4).fill('appended'),
      );
      const others = theirs.map(({ stream }) => cancel(stream));
      expect(kinds(await asOne(...others))).toEqual(['appended', 'appended']);
      expect(await Promise.all([...mine, ...theirs].map(typesOf))).toEqual(
        Array(4).fill(['TaskEnqueued', 'TaskCancelled']),
      );
    });
  });
});

/** Also a server that knows no append sessions. */
describe('a transaction that changes one stream', () => {
  let dispatch: ReservedDispatch;
  beforeAll(async () => {
    dispatch = await openReservedDispatch({ fixture: { scheme: 'esdb', release: '24.6.0' } });
  });
  afterAll(() => dispatch.close());

  it('is one append, without an event of its own', async () => {
    const queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
    const created = enqueue(queue);
    const known = dispatch.server!.log.ordinary.length;
    const prioritised = { type: 'TaskReprioritised', version: 1, data: { queue, priority: 3, previous: 0 } };
    const items = [item(`queue-${queue}`, 0, []), created, item(created.stream, 0, [prioritised])];
    expect(kinds(await dispatch.store.append(items, { atomic: true }))).toEqual(items.map(() => 'appended'));
    expect(dispatch.server!.log.ordinary.slice(known).map(({ id }) => id)).toEqual(idsOf(items));
    const { rows } = await dispatch.pool.query(
      'select priority, (select count(*)::int from reservations) as reserved from tasks',
    );
    expect(rows).toEqual([{ priority: 3, reserved: 0 }]);
  });
});
