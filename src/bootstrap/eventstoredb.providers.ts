import type { Provider } from '@nestjs/common';
import { ClaimSource } from '../application/claims/claim-source.port.js';
import { Clock } from '../application/kernel/clock.port.js';
import { EventReads, EventStore } from '../application/kernel/event-store.port.js';
import { Erasures } from '../application/erasures/erasures.port.js';
import { Forgetting } from '../application/kernel/forgetting.port.js';
import { IdempotencyKeys } from '../application/kernel/idempotency-keys.port.js';
import { Quarantine } from '../application/kernel/quarantine.port.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import type { ExternalEventStore } from './event-store.js';
import { PostgresIdempotencyKeys } from '../infrastructure/dispatch-index/postgres-idempotency-keys.js';
import { countRepeated } from '../infrastructure/eventstoredb/reservations/gap-counts.js';
import { IndexConsumer } from '../infrastructure/eventstoredb/reservations/index-consumer.js';
import { IndexMender } from '../infrastructure/eventstoredb/reservations/index-mender.js';
import { LogComparison } from '../infrastructure/eventstoredb/reservations/log-comparison.js';
import { IndexProgress } from '../infrastructure/eventstoredb/reservations/index-progress.js';
import { ReservationCleaner } from '../infrastructure/eventstoredb/reservations/reservation-cleaner.js';
import { Reservations } from '../infrastructure/eventstoredb/reservations/reservations.js';
import { ReservedClaims } from '../infrastructure/eventstoredb/reservations/reserved-claims.js';
import { ReservedIdempotencyKeys } from '../infrastructure/eventstoredb/reservations/reserved-idempotency-keys.js';
import { ReservedTransactions } from '../infrastructure/eventstoredb/reservations/reserved-transactions.js';
import { EventStoreDbEventStore } from '../infrastructure/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbLog } from '../infrastructure/eventstoredb/log/eventstoredb-log.js';
import { EventStoreDbLeaves } from '../infrastructure/eventstoredb/log/eventstoredb-leaves.js';
import { LogMarker } from '../infrastructure/eventstoredb/log/log-marker.js';
import { PostgresLogMarks } from '../infrastructure/eventstoredb/log/postgres-log-marks.js';
import { TransactionLog } from '../infrastructure/eventstoredb/log/transaction-log.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { EncryptedStoredHalves } from '../infrastructure/eventstoredb/encrypted-stored-halves.js';
import { halvesBy } from '../infrastructure/eventstoredb/log/halves/encrypted-halves.js';
import type { EventHalves } from '../infrastructure/eventstoredb/log/halves/event-halves.js';
import { ImpossibleErasures } from '../infrastructure/ports/impossible-erasures.js';
import { PostgresErasures } from '../infrastructure/ports/postgres-erasures.js';
import { StoredHalves } from '../infrastructure/ports/stored-halves.js';
import { Leaders } from '../infrastructure/leadership/leaders.js';
import { Follower } from '../infrastructure/projection-engine/follower.js';
import { LogFeed } from '../infrastructure/projection-engine/log-feed.js';
import { Progress } from '../infrastructure/projection-engine/progress.js';
import { LogLeaves } from '../infrastructure/notary/log-leaves.port.js';
import { LogTimes } from '../infrastructure/past/log-times.port.js';
import { ELSEWHERE, LogScale } from '../infrastructure/past/snapshots/snapshot.js';
import { ReservedWholes } from '../infrastructure/past/reserved-wholes.js';
import { WholeTransactions } from '../projections/kernel/whole-transactions.port.js';
import { ScannedLogTimes } from '../infrastructure/past/scanned-log-times.js';
import { EventLog } from '../projections/kernel/event-log.port.js';
import type { StoreRoles } from './roles.module.js';

/** The private halves of events, which can be erased if they are encrypted. */
const halves = ({ masterKeys }: ExternalEventStore): readonly Provider[] => [
  { provide: HALVES, inject: [PostgresPool], useFactory: (pool: PostgresPool) => halvesBy(pool, masterKeys) },
  { provide: Erasures, useClass: masterKeys === null ? ImpossibleErasures : PostgresErasures },
  {
    provide: StoredHalves,
    inject: [EventStoreDbLog],
    useFactory: (log: EventStoreDbLog) => new EncryptedStoredHalves(log),
  },
  {
    provide: LogLeaves,
    inject: [EventStoreDbLog, HALVES],
    useFactory: (...parts: ConstructorParameters<typeof EventStoreDbLeaves>) => new EventStoreDbLeaves(...parts),
  },
];

const HALVES = Symbol('EventHalves');

const READS: readonly Provider[] = [
  { provide: EventReads, useExisting: EventStore },
  { provide: EventLog, useExisting: EventStore },
  { provide: Forgetting, useExisting: Erasures },
  { provide: LogScale, useValue: ELSEWHERE },
];

/** The providers for events in EventStoreDB: the log, its reservations, and the claims. */
export const storeProviders = (store: ExternalEventStore): Provider[] => [
  {
    provide: PostgresLogMarks,
    inject: [PostgresPool],
    useFactory: (pool: PostgresPool) => new PostgresLogMarks(pool),
  },
  {
    provide: EventStoreDbLog,
    inject: [Clock, PostgresLogMarks, PostgresPool, HALVES],
    useFactory: (clock: Clock, marks: PostgresLogMarks, pool: PostgresPool, halves: EventHalves) =>
      new EventStoreDbLog({ ...store, clock, marks, halves, onRepeated: () => countRepeated(pool) }),
  },
  ...halves(store),
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
    inject: [EventStoreDbLog, Reservations, IndexProgress, ReservedTransactions, PostgresPool],
    useFactory: (...parts: ConstructorParameters<typeof EventStoreDbEventStore>) =>
      new EventStoreDbEventStore(...parts),
  },
  ...READS,
  {
    provide: LogTimes,
    inject: [EventReads],
    useFactory: (log: EventReads) => new ScannedLogTimes(log),
  },
  {
    provide: WholeTransactions,
    inject: [PostgresPool, LogTimes],
    useFactory: (pool: PostgresPool, log: LogTimes) => new ReservedWholes(pool, log),
  },
  {
    provide: IdempotencyKeys,
    inject: [PostgresPool, IndexProgress],
    useFactory: (pool: PostgresPool, index: IndexProgress) =>
      new ReservedIdempotencyKeys(pool, new PostgresIdempotencyKeys(pool), index),
  },
  {
    provide: ClaimSource,
    inject: [PostgresPool, EventStoreDbLog, Reservations, IndexProgress, Quarantine],
    useFactory: (...parts: ConstructorParameters<typeof ReservedClaims>) => new ReservedClaims(...parts),
  },
];

/** Belongs to the role `projector`. */
class IndexFollower extends Follower {}

const roleProviders: Provider[] = [
  {
    provide: IndexFollower,
    inject: [PostgresPool, WakeUps, TransactionLog, EventStoreDbLog, PostgresLogMarks, LogFeed, Leaders, Progress],
    useFactory: (
      pool: PostgresPool,
      wakeUps: WakeUps,
      transactions: TransactionLog,
      log: EventStoreDbLog,
      marks: PostgresLogMarks,
      feed: LogFeed,
      leaders: Leaders,
      progress: Progress,
    ) =>
      new IndexFollower(new IndexConsumer(pool, wakeUps, transactions, log, marks), { pool, feed, leaders, progress }),
  },
  {
    provide: LogMarker,
    inject: [EventStoreDbLog, PostgresLogMarks],
    useFactory: (log: EventStoreDbLog, marks: PostgresLogMarks) => new LogMarker(log, marks),
  },
  {
    provide: IndexMender,
    inject: [PostgresPool, EventStoreDbLog, TransactionLog, WakeUps],
    useFactory: (...parts: ConstructorParameters<typeof IndexMender>) => new IndexMender(...parts),
  },
  {
    provide: LogComparison,
    inject: [PostgresPool, EventStoreDbLog, IndexMender],
    useFactory: (...parts: ConstructorParameters<typeof LogComparison>) => new LogComparison(...parts),
  },
  {
    provide: ReservationCleaner,
    inject: [
      Reservations,
      EventStoreDbLog,
      TransactionLog,
      IndexProgress,
      Leaders,
      WakeUps,
      IndexMender,
      LogComparison,
    ],
    useFactory: (...parts: ConstructorParameters<typeof ReservationCleaner>) => new ReservationCleaner(...parts),
  },
];

/** The followers and cleaners that work if the events are in another store. */
export const storeRoles: StoreRoles = {
  providers: roleProviders,
  follower: IndexFollower,
  cleaner: ReservationCleaner,
  marker: LogMarker,
};
