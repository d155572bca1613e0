import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { ActivityReader } from '../../application/history/activity-reader.js';
import { ChangeFeed } from '../../application/history/change-feed.js';
import { HistoryReader } from '../../application/history/history-reader.js';
import { BulkPreviews } from './bulk-previews.js';
import { Claiming } from './claiming.js';
import { DeliveryPermit } from './delivery-permit.js';
import { Histories } from './histories.js';
import { Operations } from './operations.js';
import { Stopping } from './stopping.js';
import { StreamHistory } from '../../application/history/stream-history.js';
import { TaskEnds } from '../../application/history/task-ends.js';
import { TaskQueues } from '../../application/history/task-queues.js';
import { QueueIds } from './queue-ids.js';
import { Scopes } from './scopes.js';
import { PastReads } from './past-reads.js';
import { Reads } from './reads.js';
import { TaskQuota } from './task-quota.js';
import { Settling } from './settling.js';
import { CommandLog } from './command-log.js';
import { SingleStep } from './single-step.js';

/**
 * What the controllers need to carry out their operations. The given modules provide the command and query buses,
 * `Clock`, `EventStore` and `ReadPositions`. Pass none if those are global.
 */
@Module({})
export class OperationsModule {
  static from(...imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    const providers = [
      BulkPreviews,
      ChangeFeed,
      Claiming,
      CommandLog,
      DeliveryPermit,
      ActivityReader,
      Histories,
      HistoryReader,
      Operations,
      QueueIds,
      PastReads,
      Reads,
      Scopes,
      Settling,
      SingleStep,
      Stopping,
      StreamHistory,
      TaskEnds,
      TaskQueues,
      TaskQuota,
    ];
    return { module: OperationsModule, imports, providers, exports: providers };
  }
}
