import { LocalWakeUps } from '../../src/infrastructure/notify/local-wake-ups.js';
import { BUILD } from '../../src/bootstrap/functions.js';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { PostgresEventStore } from '../../src/infrastructure/postgres-event-store/postgres-event-store.js';
import { TestClock } from '../../src/testing/test-clock.js';
import { createTestDatabase } from '../../src/testing/test-databases.js';
import { eventStoreContract } from '../infrastructure/event-store/event-store.contract.js';

describe('the store of a Waybill for tests', () => {
  let pool: PostgresPool;
  const clock = TestClock.at(new Date());

  // What is found by its time is told apart by it.
  beforeEach(() => clock.set(new Date(clock.now().getTime() + 1_000), pool));

  eventStoreContract({ name: 'a Waybill for tests' }, async () => {
    const { url, close } = await createTestDatabase(process.env['DATABASE_URL']);
    pool = new PostgresPool({ url, size: 10, functions: BUILD.schema });
    return {
      store: new PostgresEventStore(pool, new LocalWakeUps()),
      close: () => pool.end().then(close),
    };
  });
});
