import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { PostgresEventStore } from '../../../src/infrastructure/postgres-event-store/postgres-event-store.js';
import { defineQueue, enqueue } from '../../support/events.js';
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
