import type { Provider } from '@nestjs/common';
import { TargetGate } from '../application/deliveries/target-gate.port.js';
import { IndexLook } from '../application/bulk-operations/index-look.port.js';
import { BulkCheckpoints } from '../application/bulk-operations/bulk-checkpoints.port.js';
import { ClaimSource } from '../application/claims/claim-source.port.js';
import { TaskLog } from '../application/claims/task-log.port.js';
import { TaskProgress } from '../application/claims/task-progress.port.js';
import { WorkerPresence } from '../application/claims/worker-presence.port.js';
import { Clock } from '../application/kernel/clock.port.js';
import { EventReads, EventStore } from '../application/kernel/event-store.port.js';
import { IdempotencyKeys } from '../application/kernel/idempotency-keys.port.js';
import { BatchMembers } from '../application/batches/batch-members.port.js';
import { LeaseRepository } from '../application/kernel/lease-repository.port.js';
import { LiveLog } from '../application/kernel/live-log.port.js';
import { IndexRows } from '../application/kernel/index-rows.port.js';
import { Quarantine } from '../application/kernel/quarantine.port.js';
import { ReadPositions } from '../application/kernel/read-positions.port.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import { Writes } from '../application/kernel/writes.port.js';
import { Presets } from '../application/queues/presets.port.js';
import { Erasures } from '../application/erasures/erasures.port.js';
import { Forgetting } from '../application/kernel/forgetting.port.js';
import { PostgresErasures } from '../infrastructure/ports/postgres-erasures.js';
import { SegmentHalves } from '../infrastructure/ports/segment-halves.js';
import { StoredHalves } from '../infrastructure/ports/stored-halves.js';
import { KnownFailureGroups } from '../application/failure-groups/known-failure-groups.port.js';
import { ResourceStates } from '../application/resources/resource-states.port.js';
import { KnownViews } from '../application/views/known-views.port.js';
import { Turns } from '../application/kernel/turns.port.js';
import { TriggerStates } from '../application/triggers/trigger-states.port.js';
import { KeyFailures } from '../application/tasks/key-failures.port.js';
import { ClaimTransaction } from '../infrastructure/postgres-event-store/claim-transaction.js';
import { PostgresTargetGate } from '../infrastructure/deliveries/postgres-target-gate.js';
import { OperationRecord } from '../application/bulk-operations/operation-record.port.js';
import { PostgresOperationRecord } from '../infrastructure/ports/postgres-operation-record.js';
import { PostgresBulkCheckpoints } from '../infrastructure/ports/postgres-bulk-checkpoints.js';
import { PostgresIdempotencyKeys } from '../infrastructure/dispatch-index/postgres-idempotency-keys.js';
import { PostgresIndexLook } from '../infrastructure/dispatch-index/postgres-index-look.js';
import { PostgresIndexRows } from '../infrastructure/dispatch-index/postgres-index-rows.js';
import { PostgresQuarantine } from '../infrastructure/dispatch-index/postgres-quarantine.js';
import { PostgresResourceStates } from '../infrastructure/dispatch-index/postgres-resource-states.js';
import { PostgresTurns } from '../infrastructure/ports/postgres-turns.js';
import { PostgresTriggerStates } from '../infrastructure/dispatch-index/postgres-trigger-states.js';
import { PostgresKeyFailures } from '../infrastructure/dispatch-index/postgres-key-failures.js';
import { PostgresBatchMembers } from '../infrastructure/dispatch-index/postgres-batch-members.js';
import { PostgresLeaseRepository } from '../infrastructure/dispatch-index/postgres-lease-repository.js';
import { PostgresEventStore } from '../infrastructure/postgres-event-store/postgres-event-store.js';
import { KeyUses } from '../application/kernel/key-uses.port.js';
import { PostgresFailureGroups } from '../infrastructure/ports/postgres-failure-groups.js';
import { PostgresKnownViews } from '../infrastructure/ports/postgres-known-views.js';
import { PostgresKeyUses } from '../infrastructure/ports/postgres-key-uses.js';
import { PostgresWorkerPresence } from '../infrastructure/presence/postgres-worker-presence.js';
import { PostgresTaskLog } from '../infrastructure/ports/postgres-task-log.js';
import { PostgresTaskProgress } from '../infrastructure/ports/postgres-task-progress.js';
import { FilePresets } from '../infrastructure/ports/file-presets.js';
import { DatabaseClock } from '../infrastructure/database/database-clock.js';
import { PostgresWrites } from '../infrastructure/database/postgres-writes.js';
import { ReadPool } from '../infrastructure/database/postgres-pool.js';
import { CheckpointReadPositions } from '../infrastructure/projection-engine/checkpoint-read-positions.js';
import { LogFeed } from '../infrastructure/projection-engine/log-feed.js';
import { Progress } from '../infrastructure/projection-engine/progress.js';
import { ALWAYS_WHOLE, WholeTransactions } from '../projections/kernel/whole-transactions.port.js';
import { LogLeaves } from '../infrastructure/notary/log-leaves.port.js';
import { PostgresLeaves } from '../infrastructure/notary/postgres-leaves.js';
import { LogTimes } from '../infrastructure/past/log-times.port.js';
import { PostgresLogTimes } from '../infrastructure/past/postgres-log-times.js';
import { HERE, LogScale } from '../infrastructure/past/snapshots/snapshot.js';
import { EventLog } from '../projections/kernel/event-log.port.js';

/** Adapters of ports in Postgres, wherever the events are. */
export const POSTGRES_ADAPTERS: readonly Provider[] = [
  DatabaseClock,
  { provide: Clock, useExisting: DatabaseClock },
  { provide: Writes, useClass: PostgresWrites },
  { provide: Presets, useClass: FilePresets },
  { provide: BatchMembers, useClass: PostgresBatchMembers },
  { provide: KnownFailureGroups, useClass: PostgresFailureGroups },
  { provide: KnownViews, useClass: PostgresKnownViews },
  { provide: WorkerPresence, useClass: PostgresWorkerPresence },
  { provide: KeyUses, useClass: PostgresKeyUses },
  { provide: LeaseRepository, useClass: PostgresLeaseRepository },
  { provide: TaskLog, useClass: PostgresTaskLog },
  { provide: TaskProgress, useClass: PostgresTaskProgress },
  { provide: BulkCheckpoints, useClass: PostgresBulkCheckpoints },
  { provide: OperationRecord, useClass: PostgresOperationRecord },
  { provide: TargetGate, useClass: PostgresTargetGate },
  { provide: KeyFailures, useClass: PostgresKeyFailures },
  { provide: IndexLook, useClass: PostgresIndexLook },
  PostgresQuarantine,
  { provide: Quarantine, useExisting: PostgresQuarantine },
  { provide: IndexRows, useClass: PostgresIndexRows },
  PostgresResourceStates,
  { provide: ResourceStates, useExisting: PostgresResourceStates },
  PostgresTriggerStates,
  { provide: TriggerStates, useExisting: PostgresTriggerStates },
  { provide: Turns, useClass: PostgresTurns },
  { provide: LogFeed, inject: [EventStore], useFactory: (store: EventStore) => new LogFeed(store) },
  { provide: LiveLog, useExisting: LogFeed },
  Progress,
  { provide: ReadPositions, useClass: CheckpointReadPositions },
];

/** Events, index and claims in one database, in one commit. */
export const POSTGRES_STORE: readonly Provider[] = [
  PostgresEventStore,
  { provide: EventStore, useExisting: PostgresEventStore },
  {
    provide: EventReads,
    inject: [ReadPool, WakeUps],
    useFactory: (pool: ReadPool, wakeUps: WakeUps) => new PostgresEventStore(pool, wakeUps),
  },
  { provide: EventLog, useExisting: EventReads },
  { provide: LogScale, useValue: HERE },
  {
    provide: LogTimes,
    inject: [ReadPool],
    useFactory: (pool: ReadPool) => new PostgresLogTimes(pool),
  },
  { provide: LogLeaves, inject: [ReadPool], useFactory: (pool: ReadPool) => new PostgresLeaves(pool) },
  { provide: WholeTransactions, useValue: ALWAYS_WHOLE },
  { provide: IdempotencyKeys, useClass: PostgresIdempotencyKeys },
  { provide: ClaimSource, useClass: ClaimTransaction },
  { provide: StoredHalves, useClass: SegmentHalves },
  { provide: Erasures, useClass: PostgresErasures },
  { provide: Forgetting, useExisting: Erasures },
];
