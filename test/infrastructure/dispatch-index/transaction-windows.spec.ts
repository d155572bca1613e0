import { uuidv7 } from 'uuidv7';
import type { AppendItem, AppendResult, RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import type { Transaction } from '../../../src/infrastructure/eventstoredb/log/transaction-log.js';
import { OpenTransactions } from '../../../src/infrastructure/eventstoredb/reservations/open-transactions.js';
import { openReservedDispatch, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { enqueue, item } from '../../support/events.js';
import { openStore } from '../../support/eventstoredb/open-store.js';
import { until } from '../../support/until.js';

const PATIENCE_MS = 60_000;

interface Signal {
  readonly given: Promise<void>;
  readonly give: () => void;
}

function signal(): Signal {
  let give!: () => void;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

/** Appends to several streams as one, in a store that supports only single streams. */
describe('a transaction on a server without append sessions', () => {
  let dispatch: ReservedDispatch;
  let queue: string;

  beforeAll(async () => {
    dispatch = await openReservedDispatch({ fixture: { scheme: 'esdb', release: '24.6.0' } });
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
  });

  const asOne = (...items: AppendItem[]): Promise<readonly AppendResult[]> =>
    dispatch.store.append(items, { atomic: true });
  const only = async (one: AppendItem): Promise<AppendResult> => (await dispatch.store.append([one]))[0]!;
  const kinds = (results: readonly AppendResult[]): string[] => results.map(({ kind }) => kind);
  const typesOf = async ({ stream }: { stream: string }): Promise<string[]> =>
    (await dispatch.log.readStreams([stream]))[0]!.map(({ event }) => event.type);
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

  /** Does what a process does that stops before it commits. */
  async function reserve(...items: AppendItem[]): Promise<Transaction> {
    const id = uuidv7();
    const { at, problems } = await dispatch.reservations.reserveAsOne(id, items);
    expect(problems.size).toBe(0);
    return { id, items: items.map(({ stream, expected, events }) => ({ stream, expected, events })), recordedAt: at };
  }

  /**
   * Holds back the next append to the stream, as if its process stalled. `held` resolves when it is held, and `goOn`
   * lets it continue.
   */
  const stall = (part: string): { held: Promise<void>; goOn: () => void } => {
    const [held, hold] = [signal(), signal()];
    const isIt = (name: string): boolean => name.includes(part);
    dispatch.server!.faults.planAppend(
      { kind: 'hold', until: hold.given },
      (name) => isIt(name) && (held.give(), true),
    );
    return { held: held.given, goOn: hold.give };
  };

  const cancel = (stream: string) =>
    item(stream, 0, [{ type: 'TaskCancelled', version: 1, data: { queue, from: 'pending', by: 'x' } }]);
  const pause = (name: string) =>
    item(`queue-${name}`, 0, [
      { type: 'QueuePaused', version: 2, data: { queue: name, by: 'x', reason: null, until: null } },
    ]);

  describe('whose process stops before it is committed', () => {
    it('stores nothing, and its reservations are released', async () => {
      const [first, second] = [enqueue(queue, { key: 'x' }), enqueue(queue, { key: 'y' })];
      const lost = await reserve(first, second);
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      expect(await count('reservations')).toBe(0);
      expect(kinds([await only(enqueue(queue, { key: 'x' })), await only(enqueue(queue, { key: 'y' }))])).toEqual([
        'appended',
        'appended',
      ]);
      expect(await dispatch.transactions.commit(lost)).toMatchObject({ kind: 'conflict' });
      expect([await typesOf(first), await typesOf(second)]).toEqual([[], []]);
    });

    it('and wakes up late is refused as a whole', async () => {
      const [first, second] = [enqueue(queue), enqueue(queue)];
      const { held, goOn } = stall('transaction-');
      const late = asOne(first, second);
      // Waits, because otherwise the cleaner's fence would be held.
      await held;
      await passDeadlines();
      expect(await dispatch.cleaner.clean()).toBe(1);
      goOn();
      expect(await late).toEqual([
        { kind: 'conflict', actual: -1 },
        { kind: 'conflict', actual: -1 },
      ]);
      expect([await typesOf(first), await count('tasks')]).toEqual([[], 0]);
    });

    it('is given up once, even if the cleaner stops between the fence and the release', async () => {
      const lost = await reserve(enqueue(queue), enqueue(queue));
      await passDeadlines();
      expect(await dispatch.transactions.end(lost.id)).toBeNull();
      expect(await dispatch.cleaner.clean()).toBe(1);
      expect(await count('reservations')).toBe(0);
    });
  });

  describe('whose process stops after it was committed', () => {
    it('is stored by another process, and its idempotency key is taken', async () => {
      const idempotencyKey = { key: queue, item: 0, fingerprint: 'f', answer: 'recorded' };
      const [first, second] = [enqueue(queue, { key: 'x' }), enqueue(queue, {}, { idempotencyKey })];
      const lost = await reserve(first, second);
      expect(await dispatch.transactions.commit(lost)).toMatchObject({ kind: 'appended' });
      expect(await count('tasks')).toBe(0);
      await passDeadlines();
      await dispatch.cleaner.clean();
      await countIs('tasks', 2);
      expect(await count('reservations')).toBe(0);
      expect([await typesOf(first), await typesOf(second)]).toEqual([['TaskEnqueued'], ['TaskEnqueued']]);
      expect(await only(enqueue(queue, {}, { idempotencyKey }))).toMatchObject({ constraint: 'idempotency-key' });
      expect((await dispatch.claim(queue, { max: 3 })).map(({ taskId }) => taskStream(taskId))).toEqual([
        first.stream,
        second.stream,
      ]);
    });

    it('and was stored in part, is completed by another process, and until then nothing else waits', async () => {
      const [first, second, third] = [enqueue(queue), enqueue(queue), enqueue(queue)];
      const lost = await reserve(first, second, third);
      await dispatch.transactions.commit(lost);
      const { id, recordedAt } = lost;
      await dispatch.log.append([first], { recordedAt, transaction: { id, item: 0, of: 3 } });
      expect(kinds([await only(enqueue(queue))])).toEqual(['appended']);
      expect(await count('tasks')).toBe(1);
      await passDeadlines();
      await dispatch.cleaner.clean();
      await countIs('tasks', 4);
      expect(await count('reservations')).toBe(0);
      const [stored] = await dispatch.log.readStreams([third.stream]);
      expect(stored).toMatchObject([{ recordedAt, id: third.events[0]!.id, transaction: { id, item: 2, of: 3 } }]);
    });

    it('and was stored by a build that did not say how many appends it has, is applied with the last', async () => {
      const items = [enqueue(queue), enqueue(queue)];
      const lost = await reserve(...items);
      await dispatch.transactions.commit(lost);
      const { id, recordedAt } = lost;
      for (const [item, one] of items.entries()) {
        expect(await count('tasks')).toBe(0);
        await dispatch.log.append([one], { recordedAt, transaction: { id, item } });
      }
      await countIs('tasks', 2);
      expect(await count('reservations')).toBe(0);
    });

    it('is stored once, even if several processes finish it', async () => {
      const items = Array.from({ length: 5 }, () => enqueue(queue));
      const lost = await reserve(...items);
      await dispatch.transactions.commit(lost);
      await Promise.all([1, 2, 3].map(() => dispatch.transactions.finish(lost)));
      await countIs('tasks', 5);
      expect(await Promise.all(items.map(typesOf))).toEqual(items.map(() => ['TaskEnqueued']));
    });

    it('and whose commit was not answered is reported as committed', async () => {
      dispatch.server!.faults.planAppend({ kind: 'drop' }, (name) => name.includes('transaction-'));
      const storing = asOne(enqueue(queue), enqueue(queue));
      await countIs('tasks', 2);
      dispatch.server!.cut();
      expect(kinds(await storing)).toEqual(['appended', 'appended']);
      expect(await count('tasks')).toBe(2);
    });
  });

  it('appears in the index as a whole, and only then wakes workers', async () => {
    const [first, second] = [enqueue(queue), enqueue(queue)];
    const { goOn } = stall(second.stream);
    const told: string[] = [];
    const stop = dispatch.wakeUps.onQueueReady((name) => told.push(name));
    const storing = asOne(first, second);
    await until('the first half', async () => ((await typesOf(first)).length > 0 ? true : null), PATIENCE_MS);
    expect([await count('tasks'), await dispatch.claim(queue), told]).toEqual([0, [], []]);
    goOn();
    expect(kinds(await storing)).toEqual(['appended', 'appended']);
    expect(await count('tasks')).toBe(2);
    expect(told).toContain(queue);
    stop();
  });

  it('is applied as the log shows it, and no stream is read for that', async () => {
    const created = enqueue(queue);
    const prioritised = { type: 'TaskReprioritised', version: 1, data: { queue, priority: 3, previous: 0 } };
    const parts = Array.from({ length: 5 }, (_, at) => item(created.stream, at, [prioritised]));
    const reads = jest.spyOn(dispatch.log, 'readStream');
    expect(kinds(await asOne(created, enqueue(queue), ...parts))).toEqual(Array(7).fill('appended'));
    await countIs('tasks', 2);
    expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
  });

  it('is read from its streams by a follower that has seen only its last append', async () => {
    const [first, second] = [enqueue(queue), enqueue(queue)];
    await asOne(first, second);
    const [[last]] = (await dispatch.log.readStreams([second.stream])) as [[RecordedEvent]];
    const { appends } = await new OpenTransactions(dispatch.transactions).add(last.transaction!, [last]);
    expect(appends.map(([event]) => event!.stream)).toEqual([first.stream, second.stream]);
  });

  it('keeps the order of its commands', async () => {
    const items = Array.from({ length: 20 }, () => enqueue(queue));
    const results = await asOne(...items);
    const positions = results.map((result) => (result as { position: bigint }).position);
    expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)));
    const claimed = await dispatch.claim(queue, { max: 20 });
    expect(claimed.map(({ taskId }) => taskStream(taskId))).toEqual(items.map(({ stream }) => stream));
  });

  it('keeps claims and commands away from its tasks until it is stored', async () => {
    const [taskId] = await dispatch.enqueue(queue, [{ key: 'x' }]);
    const { goOn } = stall('transaction-');
    const storing = asOne(cancel(taskStream(taskId!)), enqueue(queue, { key: 'x' }));
    await countIs('reservations', 2);
    expect(await dispatch.claim(queue)).toEqual([]);
    const held = dispatch.command(taskId!, { type: 'HoldTask', reason: null } as never);
    const third = only(enqueue(queue, { key: 'x' }));
    goOn();
    expect(kinds(await storing)).toEqual(['appended', 'appended']);
    expect(await held).toBe('ILLEGAL_TRANSITION');
    expect(await third).toMatchObject({ kind: 'refused', constraint: 'key-waiting' });
    expect((await dispatch.claim(queue, { max: 2 })).map((claimedTask) => claimedTask.taskId)).not.toContain(taskId);
  });

  it('reserves a stream that it only read until it is committed, and releases it with the others', async () => {
    const [looked] = await dispatch.enqueue(queue, [{}]);
    const { goOn } = stall('transaction-');
    const storing = asOne(
      item(taskStream(looked!), 0, []),
      item(`queue-${queue}`, 0, []),
      enqueue(queue),
      enqueue(queue),
    );
    await countIs('reservations', 3);
    const cancelling = only(cancel(taskStream(looked!)));
    const pausing = only(pause(queue));
    goOn();
    expect(kinds(await storing)).toEqual(Array(4).fill('appended'));
    expect(kinds(await Promise.all([cancelling, pausing]))).toEqual(['appended', 'appended']);
    expect(await count('reservations')).toBe(0);
  });

  it('that changes a queue waits for appends that were decided by its old state, and no new one overtakes it', async () => {
    const conditions = { queue: { name: queue, revision: 0 } };
    const before = enqueue(queue, {}, conditions);
    const { goOn } = stall(before.stream);
    const storing = only(before);
    await countIs('reservations', 1);
    const pausing = asOne(pause(queue), enqueue(queue));
    await countIs('reservations', 2);
    const after = only(enqueue(queue, {}, conditions));
    goOn();
    expect(kinds([await storing, ...(await pausing)])).toEqual(['appended', 'appended', 'appended']);
    expect(await after).toMatchObject({ kind: 'refused', constraint: 'queue-changed' });
  });

  it('that competes with another one for the same queues commits', async () => {
    const others = [`${queue}-a`, `${queue}-b`];
    for (const name of others) await dispatch.define(name);
    const pauses = others.map(pause);
    const results = await Promise.all([asOne(...pauses), asOne(...others.map(pause).toReversed())]);
    expect(results.map(kinds).toSorted()).toEqual([
      ['appended', 'appended'],
      ['conflict', 'conflict'],
    ]);
  });

  it('is refused without a reservation if it is larger than the store accepts', async () => {
    const labels = { text: 'x'.repeat(600_000) };
    const results = await asOne(enqueue(queue, { labels }), enqueue(queue, { labels }));
    expect(results).toMatchObject([{ constraint: 'too-large' }, { constraint: 'too-large' }]);
    expect(results[0]).toMatchObject({ bytes: expect.closeTo(1_250_000, -5), limit: 1_040_000 });
    expect(await count('reservations')).toBe(0);
  });

  it('is refused and releases its reservations if the server accepts less', async () => {
    const refused = { kind: 'refused', constraint: 'too-large', bytes: 11, limit: 10 } as const;
    jest.spyOn(dispatch.log, 'append').mockResolvedValueOnce([refused]);
    expect(await asOne(enqueue(queue), enqueue(queue))).toEqual([refused, refused]);
    expect(await count('reservations')).toBe(0);
  });

  it('builds the same index from the log alone', async () => {
    const [taskId] = await dispatch.enqueue(queue, [{ key: 'x' }]);
    await asOne(cancel(taskStream(taskId!)), enqueue(queue, { key: 'x' }), enqueue(queue), pause(queue));
    const twin = await openStore({ url: dispatch.server!.url, prefix: dispatch.prefix });
    await twin.index.reached(await dispatch.log.head(), PATIENCE_MS);
    for (const table of ['tasks', 'ready', 'key_slots', 'queues']) {
      const column = table === 'queues' ? 'name' : 'queue';
      const rows = async ({ pool }: Pick<ReservedDispatch, 'pool'>) =>
        (await pool.query(`select * from ${table} where ${column} = $1 order by 1, 2, 3`, [queue])).rows;
      const derived = await rows(twin);
      expect(derived.length).toBeGreaterThan(0);
      expect({ [table]: derived }).toEqual({ [table]: await rows(dispatch) });
    }
    await twin.close();
  });
});
