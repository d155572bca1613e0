import type { Provider } from '@nestjs/common';
import { Clock } from '../application/kernel/clock.port.js';
import { DeciderRunner } from '../application/kernel/decider-runner.js';
import { EventStore } from '../application/kernel/event-store.port.js';
import { IdempotencyKeys } from '../application/kernel/idempotency-keys.port.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import type { ExternalEventStore } from './event-store.js';
import { ConcurrencyLimiter } from '../infrastructure/dispatch-index/concurrency-limiter.js';
import { ClaimStrategy } from '../infrastructure/dispatch-index/claim-strategy.js';
import { ClaimRepeats } from '../infrastructure/dispatch-index/claim-repeats.js';
import { ClaimRetry } from '../infrastructure/dispatch-index/claim-retry.js';
import { PostgresIdempotencyKeys } from '../infrastructure/dispatch-index/postgres-idempotency-keys.js';
import { consumerInLog } from '../infrastructure/eventstoredb/reservations/consumer-in-log.js';
import { IndexConsumer } from '../infrastructure/eventstoredb/reservations/index-consumer.js';
import { IndexProgress } from '../infrastructure/eventstoredb/reservations/index-progress.js';
import { ReservationCleaner } from '../infrastructure/eventstoredb/reservations/reservation-cleaner.js';
import { Reservations } from '../infrastructure/eventstoredb/reservations/reservations.js';
import { ReservedClaimRepeats } from '../infrastructure/eventstoredb/reservations/reserved-claim-repeats.js';
import { ReservedClaims } from '../infrastructure/eventstoredb/reservations/reserved-claims.js';
import { ReservedIdempotencyKeys } from '../infrastructure/eventstoredb/reservations/reserved-idempotency-keys.js';
import { ReservedTransactions } from '../infrastructure/eventstoredb/reservations/reserved-transactions.js';
import { EventStoreDbEventStore } from '../infrastructure/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbLog } from '../infrastructure/eventstoredb/eventstoredb-log.js';
import { TransactionLog } from '../infrastructure/eventstoredb/transaction-log.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { AdvisoryLocks } from '../infrastructure/projection-engine/advisory-locks.js';
import { Follower } from '../infrastructure/projection-engine/follower.js';
import { LogFeed } from '../infrastructure/projection-engine/log-feed.js';
import { Progress } from '../infrastructure/projection-engine/progress.js';
import { EventLog } from '../projections/kernel/event-log.port.js';
import type { StoreRoles } from './roles.module.js';

/** The events in EventStoreDB, what their appends reserve, and the claims that go with them. */
export const storeProviders = (store: ExternalEventStore): Provider[] => [
  {
    provide: EventStoreDbLog,
    inject: [Clock],
    useFactory: (clock: Clock) => new EventStoreDbLog({ ...store, clock }),
  },
  { provide: Reservations, inject: [PostgresPool], useFactory: (pool: PostgresPool) => new Reservations(pool) },
  {
    provide: IndexProgress,
    inject: [PostgresPool, Progress, WakeUps],
    useFactory: (pool: PostgresPool, progress: Progress, wakeUps: WakeUps) =>
      new IndexProgress(pool, progress, wakeUps),
  },
  {
    provide: TransactionLog,
    inject: [EventStoreDbLog],
    useFactory: (log: EventStoreDbLog) => new TransactionLog(log),
  },
  {
    provide: ReservedTransactions,
    inject: [EventStoreDbLog, TransactionLog, Reservations, IndexProgress],
    useFactory: (...parts: ConstructorParameters<typeof ReservedTransactions>) => new ReservedTransactions(...parts),
  },
  {
    provide: EventStore,
    inject: [EventStoreDbLog, Reservations, IndexProgress, ReservedTransactions],
    useFactory: (...parts: ConstructorParameters<typeof EventStoreDbEventStore>) =>
      new EventStoreDbEventStore(...parts),
  },
  { provide: EventLog, useExisting: EventStore },
  {
    provide: IdempotencyKeys,
    inject: [PostgresPool, IndexProgress],
    useFactory: (pool: PostgresPool, index: IndexProgress) =>
      new ReservedIdempotencyKeys(pool, new PostgresIdempotencyKeys(pool), index),
  },
  {
    provide: ConcurrencyLimiter,
    inject: [EventStoreDbLog],
    useFactory: (log: EventStoreDbLog) => new ConcurrencyLimiter(consumerInLog(log)),
  },
  {
    provide: ClaimRepeats,
    inject: [PostgresPool, EventStore, IndexProgress],
    useFactory: (...parts: ConstructorParameters<typeof ReservedClaimRepeats>) => new ReservedClaimRepeats(...parts),
  },
  {
    provide: ClaimStrategy,
    inject: [
      PostgresPool,
      EventStoreDbLog,
      Reservations,
      IndexProgress,
      ClaimRetry,
      DeciderRunner,
      ConcurrencyLimiter,
      Clock,
    ],
    useFactory: (...parts: ConstructorParameters<typeof ReservedClaims>) => new ReservedClaims(...parts),
  },
];

/** What others than these ask for. */
export const storeExports = [EventStoreDbLog, TransactionLog, Reservations, IndexProgress];

/** For the role `projector`. */
class IndexFollower extends Follower {}

const roleProviders: Provider[] = [
  {
    provide: IndexFollower,
    inject: [PostgresPool, WakeUps, TransactionLog, LogFeed, AdvisoryLocks, Progress],
    useFactory: (
      pool: PostgresPool,
      wakeUps: WakeUps,
      transactions: TransactionLog,
      feed: LogFeed,
      locks: AdvisoryLocks,
      progress: Progress,
    ) => new IndexFollower(new IndexConsumer(pool, wakeUps, transactions), { pool, feed, locks, progress }),
  },
  {
    provide: ReservationCleaner,
    inject: [Reservations, EventStoreDbLog, TransactionLog, IndexProgress, AdvisoryLocks, WakeUps],
    useFactory: (...parts: ConstructorParameters<typeof ReservationCleaner>) => new ReservationCleaner(...parts),
  },
];

/** What works by itself where the events are in another store. */
export const storeRoles: StoreRoles = {
  providers: roleProviders,
  follower: IndexFollower,
  cleaner: ReservationCleaner,
};
