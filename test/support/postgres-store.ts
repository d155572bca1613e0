import { PostgresEventStore } from '../../src/infrastructure/postgres-event-store/postgres-event-store.js';
import { LocalWakeUps } from '../../src/infrastructure/notify/local-wake-ups.js';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { createTestDatabase } from './test-database.js';

export interface PostgresFixture {
  readonly url: string;
  readonly pool: PostgresPool;
  readonly store: PostgresEventStore;
  readonly wakeUps: LocalWakeUps;
  close(): Promise<void>;
}

/** Opens a new migrated database with the event store on it. */
export async function openPostgresStore({ poolSize = 10 } = {}): Promise<PostgresFixture> {
  const { url, drop } = await createTestDatabase();
  const pool = new PostgresPool({ url, size: poolSize });
  const wakeUps = new LocalWakeUps();
  const close = async (): Promise<void> => {
    await pool.end();
    await drop();
  };
  return { url, pool, wakeUps, store: new PostgresEventStore(pool, wakeUps), close };
}
