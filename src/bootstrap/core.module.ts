import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Injectable,
  type InjectionToken,
  Logger,
  Module,
  type Provider,
} from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ApplicationModule } from '../application/application.module.js';
import { NotaryReport } from '../application/notary/notary-report.port.js';
import { TargetGate } from '../application/deliveries/target-gate.port.js';
import { IndexLook } from '../application/bulk-operations/index-look.port.js';
import { BulkCheckpoints } from '../application/bulk-operations/bulk-checkpoints.port.js';
import { ClaimSource } from '../application/claims/claim-source.port.js';
import { TaskProgress } from '../application/claims/task-progress.port.js';
import { TaskClaimer } from '../application/claims/task-claimer.js';
import { WorkerPresence } from '../application/claims/worker-presence.port.js';
import { Clock } from '../application/kernel/clock.port.js';
import { EventReads, EventStore } from '../application/kernel/event-store.port.js';
import { IdempotencyKeys } from '../application/kernel/idempotency-keys.port.js';
import { BatchMembers } from '../application/batches/batch-members.port.js';
import { LeaseRepository } from '../application/kernel/lease-repository.port.js';
import { LiveLog } from '../application/kernel/live-log.port.js';
import { IndexRows } from '../application/kernel/index-rows.port.js';
import { type Outage, sayUnlessAway } from '../application/kernel/outage.js';
import { Quarantine } from '../application/kernel/quarantine.port.js';
import { PayloadStore } from '../application/kernel/payload-store.port.js';
import { NoPayloadStore } from '../infrastructure/payloads/no-payload-store.js';
import { OwnedPayloads } from '../infrastructure/payloads/owned-payloads.js';
import { ReadPositions } from '../application/kernel/read-positions.port.js';
import { Signal } from '../application/kernel/signal.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import { Writes } from '../application/kernel/writes.port.js';
import { Presets } from '../application/queues/presets.port.js';
import type { FailureRule } from '../domain/kernel/fingerprint.js';
import { Erasures } from '../application/erasures/erasures.port.js';
import { Forgetting } from '../application/kernel/forgetting.port.js';
import { ErasureApproval, PostgresErasures } from '../infrastructure/ports/postgres-erasures.js';
import { SegmentHalves } from '../infrastructure/ports/segment-halves.js';
import { StoredHalves } from '../infrastructure/ports/stored-halves.js';
import { FailureGrouping } from '../application/failure-groups/failure-grouping.port.js';
import { KnownFailureGroups } from '../application/failure-groups/known-failure-groups.port.js';
import { ResourceStates } from '../application/resources/resource-states.port.js';
import { KnownViews } from '../application/views/known-views.port.js';
import { Turns } from '../application/kernel/turns.port.js';
import { TriggerStates } from '../application/triggers/trigger-states.port.js';
import { KeyFailures } from '../application/tasks/key-failures.port.js';
import type { ReadOptions, Role } from './config.js';
import { BUILD } from './functions.js';
import type { ExternalEventStore } from './event-store.js';
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
import { PostgresTaskProgress } from '../infrastructure/ports/postgres-task-progress.js';
import { FilePresets } from '../infrastructure/ports/file-presets.js';
import { PostgresWakeUps } from '../infrastructure/notify/postgres-wake-ups.js';
import { BuildInUse } from '../infrastructure/database/build-in-use.js';
import { createDataSource } from '../infrastructure/database/data-source.js';
import { DatabaseClock } from '../infrastructure/database/database-clock.js';
import { PostgresWrites } from '../infrastructure/database/postgres-writes.js';
import { databaseOutage, PostgresPool, ReadPool } from '../infrastructure/database/postgres-pool.js';
import { CheckpointReadPositions } from '../infrastructure/projection-engine/checkpoint-read-positions.js';
import { LogFeed } from '../infrastructure/projection-engine/log-feed.js';
import { Progress } from '../infrastructure/projection-engine/progress.js';
import { FoldedMoves } from '../infrastructure/past/folded-moves.js';
import { LogPast } from '../infrastructure/past/log-past.js';
import { ALWAYS_WHOLE, WholeTransactions } from '../projections/kernel/whole-transactions.port.js';
import { LogLeaves } from '../infrastructure/notary/log-leaves.port.js';
import { LogTree } from '../infrastructure/notary/log-tree.js';
import { StoredParts } from '../infrastructure/notary/stored-parts.js';
import { StoredProofs } from '../infrastructure/notary/stored-proofs.js';
import { PostgresNotaryReport } from '../infrastructure/notary/postgres-notary-report.js';
import { PostgresLeaves } from '../infrastructure/notary/postgres-leaves.js';
import { LogTimes } from '../infrastructure/past/log-times.port.js';
import { PostgresLogTimes } from '../infrastructure/past/postgres-log-times.js';
import { PostgresTimeMarks } from '../infrastructure/past/postgres-time-marks.js';
import { TimeMarks } from '../infrastructure/past/time-marks.port.js';
import { FoldedRows } from '../infrastructure/past/models/folded-rows.js';
import { ModelSnapshots } from '../infrastructure/past/models/model-snapshots.js';
import { FoldedStates } from '../infrastructure/past/snapshots/folded-states.js';
import { HERE, LogScale } from '../infrastructure/past/snapshots/snapshot.js';
import { Snapshots } from '../infrastructure/past/snapshots/snapshots.js';
import { EventLog } from '../projections/kernel/event-log.port.js';
import { MovesBetween } from '../projections/kernel/moves-between.port.js';
import { Past } from '../projections/kernel/past.port.js';
import { RowsThen } from '../projections/kernel/rows-then.port.js';
import { StatesThen } from '../projections/kernel/states-then.port.js';
import { LogParts } from '../projections/seals/log-parts.port.js';
import { CopyPlaces } from '../projections/seals/copy-places.js';
import { LogProofs } from '../projections/seals/log-proofs.port.js';
import { SealChanges } from '../projections/seals/seal-changes.port.js';
import { LeafTexts } from '../projections/seals/leaf-texts.port.js';
import { EventStoreVersion } from '../projections/system/event-store-version.port.js';
import { groupBy, Grouping } from '../projections/failure-groups/grouping.js';
import { ENTITIES, followedBy, QUERY_HANDLERS } from '../projections/read-models.js';
import { RolesModule } from './roles.module.js';
import type { SealingOptions } from './sealing.js';

export interface CoreOptions {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly reads: ReadOptions;
  readonly roles: readonly Role[];
  /** Rules for messages by which failures do not group well. */
  readonly failureRules?: readonly FailureRule[];
  /** How the log is sealed, if it is. */
  readonly sealing?: SealingOptions | null;
  /** Where payloads are that are too large for the log; null: nowhere. */
  readonly payloads?: PayloadStore | null;
  /** Whether somebody else must approve an erasure. */
  readonly erasureApproval?: boolean;
  /** How long backups are kept; null if nobody has said. */
  readonly backupDays?: number | null;
  /** The event store outside the database, if there is one. */
  readonly externalEventStore?: ExternalEventStore | null;
}

/** Everything but the API: use cases, queries, their adapters in Postgres, and the roles. Has its own buses. */
@Module({})
export class CoreModule {
  static async for(options: CoreOptions): Promise<DynamicModule> {
    const other = await externalEventStore(options);
    const name = `waybill-${++dataSources}`;
    const outage = databaseOutage();
    const provided = [...adapters(options, outage), ...(other?.providers ?? POSTGRES_STORE)];
    return {
      module: CoreModule,
      global: true,
      imports: [
        CqrsModule.forRoot(),
        readSide(options, name, outage),
        { module: ApplicationModule, global: true },
        RolesModule.for(options.roles, other?.roles, followedBy(groupBy(options.failureRules)), options.sealing),
      ],
      providers: [...provided, ...QUERY_HANDLERS, { provide: DataSource, useExisting: getDataSourceToken(name) }],
      exports: [CqrsModule, DataSource, ...provided.map(tokenOf)],
    };
  }
}

/** Answers waiting claims before the server waits for the requests in progress. */
@Injectable()
class StopClaiming implements BeforeApplicationShutdown {
  constructor(private readonly claimer: TaskClaimer) {}

  beforeApplicationShutdown(): void {
    this.claimer.onApplicationShutdown();
  }
}

/**
 * No statement of the service takes this long. If the database has not answered by then, the connection is given up.
 */
const ANSWER_MS = 30_000;

/** What the container knows the provider by. */
const tokenOf = (provider: Provider): InjectionToken => ('provide' in provider ? provider.provide : provider);

/** Loads the client of EventStoreDB only if needed, because it is a tenth of all modules. */
async function externalEventStore({ externalEventStore: store }: CoreOptions) {
  if (!store) return null;
  const { storeProviders, storeRoles } = await import('./eventstoredb.providers.js');
  return { providers: storeProviders(store), roles: storeRoles };
}

function adapters(options: CoreOptions, outage: Outage): Provider[] {
  const {
    databaseUrl: url,
    poolSize,
    reads,
    externalEventStore,
    failureRules,
    erasureApproval = false,
    backupDays = null,
    payloads = null,
  } = options;
  const logger = new Logger('Postgres');
  const onConnectionLost = (error: Error): void =>
    sayUnlessAway(error, `Lost an idle connection: ${error.message}`, (line) => logger.warn(line));
  const pool = { url, functions: BUILD.schema, answerMs: ANSWER_MS, outage, onConnectionLost };
  return [
    { provide: PostgresPool, useValue: new PostgresPool({ ...pool, size: poolSize }) },
    {
      provide: ReadPool,
      useValue: new ReadPool({ ...pool, size: reads.poolSize, statementMs: reads.statementMs }),
    },
    { provide: LogFeed, inject: [EventStore], useFactory: (store: EventStore) => new LogFeed(store) },
    { provide: LiveLog, useExisting: LogFeed },
    {
      provide: WakeUps,
      inject: [PostgresPool],
      useFactory: (pool: PostgresPool) =>
        externalEventStore ? new PostgresWakeUps(pool, 0) : new PostgresWakeUps(pool),
    },
    {
      provide: BuildInUse,
      inject: [PostgresPool],
      useFactory: (pool: PostgresPool) => new BuildInUse(pool, BUILD.schema),
    },
    DatabaseClock,
    { provide: Clock, useExisting: DatabaseClock },
    { provide: Writes, useClass: PostgresWrites },
    { provide: Presets, useClass: FilePresets },
    { provide: BatchMembers, useClass: PostgresBatchMembers },
    StopClaiming,
    { provide: ErasureApproval, useValue: { isNeeded: erasureApproval } satisfies ErasureApproval },
    {
      provide: PayloadStore,
      inject: [PostgresPool, EventReads],
      useFactory: (pool: PostgresPool, events: EventReads) =>
        payloads === null ? new NoPayloadStore() : new OwnedPayloads(payloads, pool, events),
    },
    { provide: FailureGrouping, useValue: { groupOf: groupBy(failureRules) } satisfies FailureGrouping },
    { provide: Grouping, useExisting: FailureGrouping },
    { provide: KnownFailureGroups, useClass: PostgresFailureGroups },
    { provide: KnownViews, useClass: PostgresKnownViews },
    { provide: WorkerPresence, useClass: PostgresWorkerPresence },
    { provide: KeyUses, useClass: PostgresKeyUses },
    { provide: LeaseRepository, useClass: PostgresLeaseRepository },
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
    Progress,
    { provide: LeafTexts, useExisting: LogLeaves },
    {
      provide: LogProofs,
      inject: [LogLeaves, PostgresPool],
      useFactory: (leaves: LogLeaves, pool: PostgresPool) =>
        new StoredProofs(leaves, new LogTree(pool), Boolean(externalEventStore)),
    },
    {
      provide: LogParts,
      inject: [LogLeaves, PostgresPool],
      useFactory: (leaves: LogLeaves, pool: PostgresPool) =>
        new StoredParts(leaves, new LogTree(pool), Boolean(externalEventStore)),
    },
    { provide: NotaryReport, useClass: PostgresNotaryReport },
    { provide: SealChanges, inject: [WakeUps], useFactory: sealChanges },
    { provide: CopyPlaces, useValue: new CopyPlaces(backupDays) },
    { provide: EventStoreVersion, useValue: { version: externalEventStore?.version ?? null } },
    { provide: ReadPositions, useClass: CheckpointReadPositions },
    { provide: TimeMarks, inject: [ReadPool], useFactory: (pool: ReadPool) => new PostgresTimeMarks(pool) },
    {
      provide: Past,
      inject: [EventReads, LogTimes, TimeMarks, Clock],
      useFactory: (...parts: ConstructorParameters<typeof LogPast>) => new LogPast(...parts),
    },
    {
      provide: MovesBetween,
      inject: [EventReads],
      useFactory: (log: EventReads) => new FoldedMoves(log),
    },
    {
      provide: StatesThen,
      inject: [ReadPool, EventReads, LogScale],
      useFactory: (pool: ReadPool, log: EventReads, scale: LogScale) =>
        new FoldedStates(new Snapshots(pool), log, scale),
    },
    {
      provide: RowsThen,
      inject: [ReadPool, EventReads, LogScale],
      useFactory: (pool: ReadPool, log: EventReads, scale: LogScale) =>
        new FoldedRows(new ModelSnapshots(pool), new Snapshots(pool), log, scale),
    },
  ];
}

/** For as long as the process lives. */
function sealChanges(wakeUps: WakeUps): SealChanges {
  const changed = new Signal();
  wakeUps.onSealsChanged(() => changed.emit());
  return changed;
}

/** Events, index and claims in one database, in one commit. */
const POSTGRES_STORE: readonly Provider[] = [
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

/** The names of data sources belong to the whole process, of which an application may have used the default one. */
let dataSources = 0;

/**
 * The connections of queries. The start has already checked the database, so this does not wait for one that is away.
 */
const readSide = ({ databaseUrl, reads }: CoreOptions, name: string, outage: Outage): DynamicModule =>
  TypeOrmModule.forRootAsync({
    name,
    useFactory: () => ({ type: 'postgres', retryAttempts: 0 }),
    dataSourceFactory: () =>
      createDataSource(databaseUrl, ENTITIES, {
        functions: BUILD.schema,
        answerMs: ANSWER_MS,
        statementMs: reads.statementMs,
        outage,
      }).initialize(),
  });
