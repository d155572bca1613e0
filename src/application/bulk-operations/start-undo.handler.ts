import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskStream } from '../../domain/task/task.stream.js';
import { type EndedOperation, endedOperation } from './ended-operation.js';
import { OPERATIONS, type StartedBulkOperation } from './start-bulk-operation.handler.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import { EventStore } from '../kernel/event-store.port.js';
import { OperationOrders } from '../service-tasks/operation-orders.js';
import { OperationRecord } from './operation-record.port.js';
import { orderAgainst, undoIdOf, type UndoOrder } from './undo-order.js';

/**
 * Orders the undo of an operation that has ended, which is an operation itself. There is one of each: the second order
 * answers with the first. Throws `Refused`.
 */
export class StartUndo extends Command<StartedBulkOperation> {
  constructor(
    readonly operation: string,
    readonly isPreview: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(StartUndo)
export class StartUndoHandler implements ICommandHandler<StartUndo> {
  constructor(
    private readonly orders: OperationOrders,
    private readonly record: OperationRecord,
    private readonly store: EventStore,
  ) {}

  async execute({ operation, isPreview, context }: StartUndo): Promise<StartedBulkOperation> {
    const repeated = isPreview ? null : await this.orders.earlier(context);
    if (repeated) return repeated;
    const { order, id } = await this.planOf(operation);
    const earlier = isPreview ? null : await this.orders.placed(id);
    if (earlier) return earlier;
    const count = await this.record.count(operation);
    if (isPreview) return { count, receipt: null };
    if (count === 0) throw new Refused({ code: 'NO_TASK_MATCHES' });
    return this.orders.place(OPERATIONS, { kind: order.command, order, count, id }, context);
  }

  /** What would undo the operation, and under which id. Throws `Refused` if it has not ended, or cannot be undone. */
  async planOf(operation: string): Promise<{ readonly order: UndoOrder; readonly id: string }> {
    const ended = await this.ended(operation);
    const undone = 'undoes' in ended.order ? await this.ended(ended.order.undoes) : null;
    const order = orderAgainst(operation, ended.order, undone?.order ?? null);
    if ('code' in order) throw new Refused(order);
    return { order, id: undoIdOf(operation, ended.endedAt) };
  }

  private async ended(operation: string): Promise<EndedOperation> {
    const [history] = await this.store.readStreams([taskStream(operation)]);
    return endedOperation(history!);
  }
}
