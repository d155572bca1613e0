import { Module } from '@nestjs/common';
import { Operations } from '../api/operations/operations.js';
import { OperationsModule } from '../api/operations/operations.module.js';
import { BulkCheckpoints } from '../application/bulk-operations/bulk-checkpoints.port.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import { Steward } from './steward.js';

/** Provides the steward. `Roles` starts and stops it. */
@Module({
  imports: [OperationsModule.from()],
  providers: [
    {
      provide: Steward,
      inject: [Operations, WakeUps, BulkCheckpoints],
      useFactory: (operations: Operations, wakeUps: WakeUps, checkpoints: BulkCheckpoints) =>
        new Steward(operations, wakeUps, checkpoints),
    },
  ],
})
export class StewardModule {}
