import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Run } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { BulkCheckpoints } from '../../src/application/bulk-operations/bulk-checkpoints.port.js';
import type { BulkOperation, BulkResult } from '../../src/application/bulk-operations/bulk-operation.js';
import { OperationRecord } from '../../src/application/bulk-operations/operation-record.port.js';
import type { Undo } from '../../src/application/bulk-operations/undo-order.js';
import { EventReads, EventStore } from '../../src/application/kernel/event-store.port.js';
import { WakeUps } from '../../src/application/kernel/wake-ups.port.js';
import { BulkOperationRun } from '../../src/steward/bulk-operation-run.js';
import { bulkWork } from '../../src/steward/bulk-work.js';
import { undoOperation } from '../../src/steward/undo-run.js';
import type { Undoable } from './queue-model.js';

/** Operations and their undos, as the steward carries them out. */
export class RealMistakes {
  private readonly work: ReturnType<typeof bulkWork>;

  constructor(of: INestApplicationContext) {
    const service = {
      commands: of.get(CommandBus),
      queries: of.get(QueryBus),
      checkpoints: of.get(BulkCheckpoints),
      record: of.get(OperationRecord),
      events: of.get(EventReads),
      store: of.get(EventStore),
      wakeUps: of.get(WakeUps),
    };
    // Nothing but the model asks for them, so none is a task.
    this.work = { ...bulkWork(service), hasStanding: async () => true };
  }

  /** Gives the command to the tasks. Returns the operation's id. */
  async operate(tasks: readonly string[], command: Undoable): Promise<string> {
    const operation = uuidv7();
    const order = { command, tasks, expected: tasks.length, by: 'ann' } satisfies BulkOperation;
    await new BulkOperationRun(runOf(operation, order), this.work).finish();
    return operation;
  }

  undo(operation: string, of: Undoable): Promise<BulkResult> {
    const order = { command: 'undo', undoes: operation, of, expected: 1, by: 'ann' } satisfies Undo;
    return undoOperation(runOf(uuidv7(), order), this.work);
  }
}

const runOf = <Order>(taskId: string, payload: Order): Run<Order> =>
  ({
    task: { taskId, payload, data: {}, enqueuedAt: '2999-01-01T00:00:00.000Z' },
    fencingToken: '1',
    signal: new AbortController().signal,
    progress: () => undefined,
  }) as unknown as Run<Order>;
