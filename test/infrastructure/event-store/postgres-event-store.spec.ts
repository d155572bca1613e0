import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { PostgresEventStore } from '../../../src/infrastructure/postgres-event-store/postgres-event-store.js';
import { defineQueue, enqueue, failed, item } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { eventStoreContract } from './event-store.contract.js';
import { scanned } from '../../support/scanned.js';

describe('PostgresEventStore', () => {
  eventStoreContract({ name: 'Postgres' }, openPostgresStore);

  it('orders the tasks of one append by their order in it, whichever constraints they have', async () => {
    const db = await openPostgresStore();
    await db.store.append([defineQueue('q', { uniqueReference: 'open' })]);
    const submissions = [{}, { reference: 'r' }, { key: 'k' }, { key: 'k2', reference: 's' }, {}];
    const tasks = submissions.map((rest) => enqueue('q', rest));
    await db.store.append(tasks);
    const logged = await scanned(db.store, { types: ['TaskEnqueued'] });
    expect(logged.map(({ stream }) => stream)).toEqual(tasks.map(({ stream }) => stream));
    await db.close();
  });

  it('leaves no hole in the positions where items of an append are refused, wherever they stand in it', async () => {
    const db = await openPostgresStore();
    await db.store.append([defineQueue('q')]);
    const taken = Array.from({ length: 4 }, () => enqueue('q'));
    await db.store.append(taken);
    const again = (at: number) => ({ ...taken[at]!, events: enqueue('q').events });
    const gone = item(enqueue('q').stream, 3, failed('q', '1'));
    const given = [
      again(0),
      enqueue('q'),
      again(1),
      again(2),
      enqueue('q', { key: 'k' }),
      gone,
      enqueue('q'),
      again(3),
    ];

    const results = await db.store.append(given);

    const stored = results.flatMap((result, at) => (result.kind === 'appended' ? [{ at, ...result }] : []));
    expect(stored.map(({ at, position }) => [at, Number(position)])).toEqual(
      [1, 4, 6].map((at, place) => [at, 1 + taken.length + place + 1]),
    );
    expect(results.flatMap(({ kind }) => (kind === 'appended' ? [] : [kind]))).toEqual(Array(5).fill('conflict'));
    const log = await db.store.readAll(0n, 100);
    expect(log.map(({ position }) => Number(position))).toEqual(log.map((_, at) => at + 1));
    expect(log.slice(-3).map(({ stream }) => stream)).toEqual(stored.map(({ at }) => given[at]!.stream));
    const { rows } = await db.pool.query<{ held: boolean }>(
      'select bool_and(t.position = e.position) as held from tasks t join events e on e.stream = t.task_id',
    );
    expect(rows).toEqual([{ held: true }]);
    await db.close();
  });

  describe('followed in the process that writes', () => {
    let db: PostgresFixture;

    beforeAll(async () => {
      db = await openPostgresStore();
      await db.store.append([defineQueue('q')]);
    });
    afterAll(() => db.close());

    /** The first `count` events that a subscription yields while `write` runs. */
    async function followed(count: number, write: () => Promise<unknown>): Promise<readonly RecordedEvent[]> {
      const stop = new AbortController();
      const seen: RecordedEvent[] = [];
      let writing: Promise<unknown> | null = null;
      for await (const events of db.store.subscribe(await db.store.head(), { signal: stop.signal, heartbeatMs: 10 })) {
        writing ??= write();
        seen.push(...events);
        if (seen.length >= count) stop.abort();
      }
      await writing;
      return seen;
    }

    it('yields the same as a read of the log', async () => {
      const start = await db.store.head();
      const taken = enqueue('q');
      await db.store.append([taken]);
      const seen = await followed(3, async () => {
        await db.store.append([enqueue('q', { payload: { a: [1, null] } }), { ...taken, events: enqueue('q').events }]);
        await db.store.append([enqueue('q', { key: 'k' }), enqueue('q')]);
      });
      const read = await db.store.readAll(start + 1n, 100);
      expect(seen).toStrictEqual(read);
      expect(read).toHaveLength(3);
    });

    it('misses no event that another process writes in between', async () => {
      const start = await db.store.head();
      const other = new PostgresEventStore(db.pool, db.wakeUps);
      const rounds = 40;
      const seen = await followed(2 * rounds, () =>
        Promise.all(
          [db.store, other].map(async (store) => {
            for (let round = 0; round < rounds; round++) await store.append([enqueue('q')]);
          }),
        ),
      );
      expect(seen).toStrictEqual(await db.store.readAll(start, 1_000));
    });
  });
});
