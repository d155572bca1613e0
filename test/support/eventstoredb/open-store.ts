import { BUILD } from '../../../src/bootstrap/functions.js';
import { randomUUID } from 'node:crypto';
import { EventStoreDbEventStore } from '../../../src/infrastructure/eventstoredb/eventstoredb-event-store.js';
import {
  EventStoreDbLog,
  type EventStoreDbOptions,
} from '../../../src/infrastructure/eventstoredb/log/eventstoredb-log.js';
import { PostgresLogMarks } from '../../../src/infrastructure/eventstoredb/log/postgres-log-marks.js';
import { TransactionLog } from '../../../src/infrastructure/eventstoredb/log/transaction-log.js';
import { countRepeated } from '../../../src/infrastructure/eventstoredb/reservations/gap-counts.js';
import { IndexMender } from '../../../src/infrastructure/eventstoredb/reservations/index-mender.js';
import { LogComparison } from '../../../src/infrastructure/eventstoredb/reservations/log-comparison.js';
import { IndexConsumer } from '../../../src/infrastructure/eventstoredb/reservations/index-consumer.js';
import { IndexProgress } from '../../../src/infrastructure/eventstoredb/reservations/index-progress.js';
import { ReservationCleaner } from '../../../src/infrastructure/eventstoredb/reservations/reservation-cleaner.js';
import { ReservedTransactions } from '../../../src/infrastructure/eventstoredb/reservations/reserved-transactions.js';
import { Reservations } from '../../../src/infrastructure/eventstoredb/reservations/reservations.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { DatabaseClock } from '../../../src/infrastructure/database/database-clock.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { Follower } from '../../../src/infrastructure/projection-engine/follower.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { createTestDatabase } from '../test-database.js';
import { EventStoreDbFixture, type FixtureOptions } from './fixture.js';
import { PATIENT } from './open-log.js';

export interface StoreFixture {
  /** Null if a real server is used. */
  readonly server: EventStoreDbFixture | null;
  /** The prefix of its streams' names. */
  readonly prefix: string;
  readonly databaseUrl: string;
  readonly pool: PostgresPool;
  readonly clock: DatabaseClock;
  readonly wakeUps: LocalWakeUps;
  readonly log: EventStoreDbLog;
  readonly store: EventStoreDbEventStore;
  readonly transactions: TransactionLog;
  readonly reservations: Reservations;
  readonly index: IndexProgress;
  /** Of the process that follows the log for the index. */
  readonly feed: LogFeed;
  readonly follower: Follower;
  readonly cleaner: ReservationCleaner;
  readonly comparison: LogComparison;
  close(): Promise<void>;
}

export interface StoreFixtureOptions extends Partial<EventStoreDbOptions> {
  /** The URL of a server to use instead of a fixture. */
  readonly url?: string;
  /** Of the fixture. */
  readonly fixture?: FixtureOptions;
  readonly reservationMs?: number;
  /** A migrated database to use instead of a new one. */
  readonly databaseUrl?: string;
}

/** Opens the event store in EventStoreDB with its index in a new database, and with its own stream names. */
export async function openStore({
  reservationMs,
  databaseUrl: given,
  fixture,
  ...options
}: StoreFixtureOptions = {}): Promise<StoreFixture> {
  const server = options.url === undefined ? await EventStoreDbFixture.start(fixture) : null;
  const { url: databaseUrl, drop } =
    given === undefined ? await createTestDatabase() : { url: given, drop: () => Promise.resolve() };
  const pool = new PostgresPool({ url: databaseUrl, size: 10, functions: BUILD.schema });
  const clock = new DatabaseClock(pool);
  await clock.sample();
  const { prefix = `run${randomUUID().replaceAll('-', '')}.` } = options;
  const marks = new PostgresLogMarks(pool);
  const log = new EventStoreDbLog({
    ...PATIENT,
    marks,
    ...options,
    prefix,
    clock,
    url: options.url ?? server!.url,
    onRepeated: () => countRepeated(pool),
  });
  const [wakeUps, progress, leaders] = [new LocalWakeUps(), new Progress(), new Leaders(pool)];
  const reservations = new Reservations(pool, reservationMs);
  const index = new IndexProgress(pool, progress, wakeUps);
  const transactions = new TransactionLog(log);
  const asOne = new ReservedTransactions(log, transactions, reservations, index);
  const store = new EventStoreDbEventStore(log, reservations, index, asOne, pool);
  const feed = new LogFeed(store);
  const follower = new Follower(new IndexConsumer(pool, wakeUps, transactions, log, marks), {
    pool,
    feed,
    leaders,
    progress,
  });
  const mender = new IndexMender(pool, log, transactions, wakeUps);
  const comparison = new LogComparison(pool, log, mender);
  const cleaner = new ReservationCleaner(reservations, log, transactions, index, leaders, wakeUps, mender, comparison);
  follower.start();
  const close = async (): Promise<void> => {
    await cleaner.stop();
    await follower.stop();
    await leaders.close();
    await log.close();
    await server?.stop();
    await pool.end();
    await drop();
  };
  return {
    server,
    prefix,
    databaseUrl,
    pool,
    clock,
    wakeUps,
    log,
    store,
    transactions,
    reservations,
    index,
    feed,
    follower,
    cleaner,
    comparison,
    close,
  };
}
