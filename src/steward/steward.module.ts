import { type DynamicModule, Module } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Operations } from '../api/operations/operations.js';
import { OperationsModule } from '../api/operations/operations.module.js';
import { CopyFailedTasks } from '../application/batches/copy-failed-tasks.handler.js';
import { BulkCheckpoints } from '../application/bulk-operations/bulk-checkpoints.port.js';
import { OperationRecord } from '../application/bulk-operations/operation-record.port.js';
import { Erasures } from '../application/erasures/erasures.port.js';
import { EventReads, EventStore } from '../application/kernel/event-store.port.js';
import { DeliveryTargets } from '../application/deliveries/delivery-targets.port.js';
import { TargetGate } from '../application/deliveries/target-gate.port.js';
import { Tracing } from '../application/kernel/tracing.port.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import { ModelRebuilds } from '../application/rebuilds/model-rebuilds.port.js';
import { bulkWork } from './bulk-work.js';
import { FirePastEvents } from '../application/triggers/fire-past-events.handler.js';
import { AllowedTargets } from './deliveries/allowed-target.js';
import { ChangesMessages } from './deliveries/changes-messages.js';
import { Deliveries } from './deliveries/delivery-run.js';
import type { DeliverySettings } from './deliveries/delivery-settings.js';
import { erasureWork } from './erasure-work.js';
import type { RerunWork } from './rerun-run.js';
import type { PastFiringWork } from './past-firing-run.js';
import { queueDeletionWork } from './queue-deletion-work.js';
import { Steward } from './steward.js';

const pastFiringWork = (commands: CommandBus, checkpoints: BulkCheckpoints): PastFiringWork => ({
  checkpoints,
  fire: (firing, replay, reached) => commands.execute(new FirePastEvents(firing, replay, reached)),
});

const rerunWork = (commands: CommandBus): RerunWork => ({
  copy: (batch, page, within, context) => commands.execute(new CopyFailedTasks(batch, page, within, context)),
});

/** Provides the steward, which `Roles` starts and stops, and to all the rules for what it may be ordered to do. */
@Module({})
export class StewardModule {
  static for(settings: DeliverySettings, targets: DeliveryTargets = new AllowedTargets(settings)): DynamicModule {
    return {
      module: StewardModule,
      global: true,
      imports: [OperationsModule.from()],
      exports: [DeliveryTargets],
      providers: [
        { provide: DeliveryTargets, useValue: targets },
        {
          provide: Steward,
          inject: [
            Operations,
            WakeUps,
            CommandBus,
            QueryBus,
            BulkCheckpoints,
            OperationRecord,
            EventReads,
            EventStore,
            TargetGate,
            ModelRebuilds,
            Erasures,
            { token: Tracing, optional: true },
          ],
          useFactory: (
            operations: Operations,
            wakeUps: WakeUps,
            commands: CommandBus,
            queries: QueryBus,
            checkpoints: BulkCheckpoints,
            record: OperationRecord,
            events: EventReads,
            store: EventStore,
            gate: TargetGate,
            rebuilds: ModelRebuilds,
            erasures: Erasures,
            tracing?: Tracing,
          ) => {
            const bulk = bulkWork({ commands, queries, checkpoints, record, events, store, wakeUps });
            const deletions = { ...bulk, ...queueDeletionWork({ commands, queries, events, wakeUps }) };
            return new Steward(operations, wakeUps, {
              bulk,
              deletions,
              reruns: rerunWork(commands),
              past: pastFiringWork(commands, checkpoints),
              rebuilds,
              erasures: erasureWork(commands, erasures),
              deliveries: new Deliveries(settings, gate, new ChangesMessages(queries), tracing),
              tracing,
            });
          },
        },
      ],
    };
  }
}
