import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { HistoryReader } from '../../application/history/history-reader.js';
import { ClaimOperations } from './claim.operations.js';
import { EnqueueOperations } from './enqueue.operations.js';
import { HistoryOperations } from './history.operations.js';
import { QueueOperations } from './queue.operations.js';
import { Reads } from './reads.js';
import { SettlementOperations } from './settlement.operations.js';
import { SystemOperations } from './system.operations.js';
import { TaskListOperations } from './task-list.operations.js';
import { TaskOperations } from './task.operations.js';
import { TransactionOperations } from './transaction.operations.js';

const OPERATIONS = [
  ClaimOperations,
  EnqueueOperations,
  HistoryOperations,
  QueueOperations,
  SettlementOperations,
  SystemOperations,
  TaskListOperations,
  TaskOperations,
  TransactionOperations,
];

/**
 * The operations without a transport, as callers in the same process use them. The given modules provide the command and query
 * buses, `Clock`, `EventStore` and `ReadPositions`; none are needed where those are global.
 */
@Module({})
export class OperationsModule {
  static from(...imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: OperationsModule, imports, providers: [HistoryReader, Reads, ...OPERATIONS], exports: OPERATIONS };
  }
}
