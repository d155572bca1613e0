import { EventReads, EventStore } from '../application/kernel/event-store.port.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import type { Reaction } from '../application/reactions/reaction.js';
import { EventFiring } from '../application/triggers/event-firing.js';
import { EventTriggers } from '../application/triggers/event-triggers.js';
import { REACTIONS } from '../application/reactions/reactions.js';
import type { Role } from './config.js';
import { notaryOf, Sealing, type SealingOptions } from './sealing.js';
import type { LogMarker } from '../infrastructure/eventstoredb/log/log-marker.js';
import type { ReservationCleaner } from '../infrastructure/eventstoredb/reservations/reservation-cleaner.js';
import { OutboxRelay } from '../infrastructure/outbox/outbox-relay.js';
import { OutboxTable } from '../infrastructure/outbox/outbox-table.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { Leaders } from '../infrastructure/leadership/leaders.js';
import { LogTimes } from '../infrastructure/past/log-times.port.js';
import { PostgresTimeMarks } from '../infrastructure/past/postgres-time-marks.js';
import { TimesKeeper } from '../infrastructure/past/times-keeper.js';
import { LineageConsumer } from '../infrastructure/lineage/lineage-consumer.js';
import { LineageFollower } from '../infrastructure/lineage/lineage-follower.js';
import { lineageOf } from '../infrastructure/lineage/lineage-model.js';
import { LogFeed } from '../infrastructure/projection-engine/log-feed.js';
import { Progress } from '../infrastructure/projection-engine/progress.js';
import type { Follower } from '../infrastructure/projection-engine/follower.js';
import { ModelRebuilds } from '../application/rebuilds/model-rebuilds.port.js';
import { PostgresModelRebuilds } from '../infrastructure/projection-engine/model-rebuilds.js';
import { FollowedModels, ProjectionEngine } from '../infrastructure/projection-engine/projection-engine.js';
import { Rebuild } from '../infrastructure/projection-engine/rebuild.js';
import { EventTriggerConsumer } from '../infrastructure/reactions/event-trigger-consumer.js';
import { ReactionRunner, Reactions } from '../infrastructure/reactions/reaction-runner.js';
import { Consequences } from '../infrastructure/dispatch-index/consequences.js';
import { LogScale } from '../infrastructure/past/snapshots/snapshot.js';
import { keptModels } from '../infrastructure/past/kept-models.js';
import { ModelGaps } from '../infrastructure/past/models/model-gaps.js';
import { ModelSnapshots } from '../infrastructure/past/models/model-snapshots.js';
import { SnapshotKeeper } from '../infrastructure/past/snapshots/snapshot-keeper.js';
import { SnapshotWriter } from '../infrastructure/past/snapshots/snapshot-writer.js';
import { Snapshots } from '../infrastructure/past/snapshots/snapshots.js';
import { PayloadSweep } from '../infrastructure/payloads/payload-sweep.js';
import { AttendanceWatch } from '../infrastructure/presence/attendance-watch.js';
import { UnattendedQueues } from '../infrastructure/presence/unattended-queues.js';
import type { Chore } from '../infrastructure/sweeper/chore.js';
import { CHORES } from '../infrastructure/sweeper/chores/all.js';
import { DueQueues } from '../infrastructure/sweeper/due-queues.js';
import { FailingItems } from '../infrastructure/sweeper/failing-items.js';
import { Archiver } from '../infrastructure/sweeper/archiver.js';
import { Pruner } from '../infrastructure/sweeper/pruner.js';
import { DueWork } from '../infrastructure/sweeper/due-work.js';
import { ComparedRows } from '../infrastructure/sweeper/compared-rows.js';
import { StrayRows } from '../infrastructure/sweeper/stray-rows.js';
import { Sweeper } from '../infrastructure/sweeper/sweeper.js';
import { Grouping } from '../projections/kernel/grouping.js';
import { FOLLOWED } from '../projections/read-models.js';
import { Roles } from './roles.js';

/** The followers and cleaners that work if the events are in another store and the dispatch index follows them. */
export interface StoreRoles {
  readonly providers: readonly Provider[];
  readonly follower: Type<Follower>;
  readonly cleaner: Type<ReservationCleaner>;
  readonly marker: Type<LogMarker>;
}

const SWEEPER: Provider = {
  provide: Sweeper,
  inject: [DueWork, Pruner, Archiver, StrayRows, ComparedRows, WakeUps, Leaders, FailingItems, PayloadSweep, ...CHORES],
  useFactory: (
    work: DueWork,
    pruner: Pruner,
    archiver: Archiver,
    strays: StrayRows,
    compared: ComparedRows,
    wakeUps: WakeUps,
    leaders: Leaders,
    failing: FailingItems,
    payloads: PayloadSweep,
    ...chores: Chore[]
  ) => new Sweeper(chores, work, pruner, archiver, strays, compared, wakeUps, leaders, failing, payloads),
};

const KEEPER: Provider = {
  provide: SnapshotKeeper,
  inject: [PostgresPool, EventReads, LogScale, Leaders, Grouping],
  useFactory: (pool: PostgresPool, log: EventReads, scale: LogScale, leaders: Leaders, grouping: Grouping) => {
    const snapshots = new Snapshots(pool);
    const kept = keptModels((error) => grouping.groupOf(error));
    const models = new ModelGaps(new ModelSnapshots(pool), snapshots, log, scale, kept);
    return new SnapshotKeeper({ snapshots, writer: new SnapshotWriter(pool, scale), log, scale, models }, leaders);
  },
};

const LINEAGE: Provider = {
  provide: LineageFollower,
  inject: [PostgresPool, EventStore, LogFeed, Leaders, Progress],
  useFactory: (pool: PostgresPool, log: EventStore, feed: LogFeed, leaders: Leaders, progress: Progress) =>
    new LineageFollower(new LineageConsumer(pool, lineageOf(log), new Rebuild(log, pool, leaders)), {
      pool,
      feed,
      leaders,
      progress,
    }),
};

const rebuildsOf = (followed: typeof FOLLOWED): Provider => ({
  provide: ModelRebuilds,
  inject: [PostgresPool, EventStore, Leaders],
  useFactory: (pool: PostgresPool, log: EventStore, leaders: Leaders) =>
    new PostgresModelRebuilds([...followed, lineageOf(log)], pool, new Rebuild(log, pool, leaders)),
});

/** The background work of the process. `Roles.start` starts it once everything else is ready. */
@Module({})
export class RolesModule {
  static for(
    roles: readonly Role[],
    ofStore?: StoreRoles,
    followed = FOLLOWED,
    sealing?: SealingOptions | null,
  ): DynamicModule {
    return {
      module: RolesModule,
      // The steward carries out rebuilds.
      global: true,
      providers: [
        { provide: Leaders, inject: [PostgresPool], useFactory: (pool: PostgresPool) => new Leaders(pool) },
        { provide: FollowedModels, useValue: new FollowedModels(followed) },
        ProjectionEngine,
        rebuildsOf(followed),
        LINEAGE,
        ...(ofStore?.providers ?? []),
        ...REACTIONS,
        {
          provide: Reactions,
          inject: [EventTriggers, EventFiring, PostgresPool, EventStore, ...REACTIONS],
          useFactory: (
            triggers: EventTriggers,
            firing: EventFiring,
            pool: PostgresPool,
            store: EventStore,
            ...all: Reaction[]
          ) => new Reactions(all, [new EventTriggerConsumer(triggers, firing, pool, store)]),
        },
        ReactionRunner,
        { provide: Pruner, inject: [PostgresPool], useFactory: (pool: PostgresPool) => new Pruner(pool) },
        Archiver,
        AttendanceWatch,
        UnattendedQueues,
        StrayRows,
        ComparedRows,
        DueQueues,
        DueWork,
        FailingItems,
        PayloadSweep,
        Consequences,
        ...CHORES,
        SWEEPER,
        KEEPER,
        OutboxTable,
        OutboxRelay,
        {
          provide: TimesKeeper,
          inject: [LogTimes, PostgresPool],
          useFactory: (times: LogTimes, pool: PostgresPool) => new TimesKeeper(times, new PostgresTimeMarks(pool)),
        },
        notaryOf(sealing ?? null),
        {
          provide: Roles,
          inject: [
            ProjectionEngine,
            LineageFollower,
            ReactionRunner,
            Sweeper,
            SnapshotKeeper,
            OutboxRelay,
            TimesKeeper,
            Sealing,
            Leaders,
            ...(ofStore ? [ofStore.follower, ofStore.cleaner, ofStore.marker] : []),
          ],
          useFactory: (
            projector: ProjectionEngine,
            lineage: LineageFollower,
            reactor: ReactionRunner,
            sweeper: Sweeper,
            keeper: SnapshotKeeper,
            relay: OutboxRelay,
            times: TimesKeeper,
            sealing: Sealing,
            leaders: Leaders,
            follower?: Follower,
            cleaner?: ReservationCleaner,
            marker?: LogMarker,
          ) =>
            new Roles(
              roles,
              {
                projector: [projector, lineage, times, ...sealing.by, ...(marker ? [marker] : [])],
                reactor: [reactor],
                sweeper: cleaner ? [sweeper, keeper, cleaner] : [sweeper, keeper],
                relay: [relay],
              },
              leaders,
              follower,
            ),
        },
      ],
      exports: [Roles, ProjectionEngine, ModelRebuilds],
    };
  }
}
