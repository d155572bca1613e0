import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import type { ServiceQueue } from '../queues/service-queues.js';
import { type BulkOrder, OPERATIONS_QUEUE } from './bulk-operation.js';
import { OperationOrders } from '../service-tasks/operation-orders.js';

export interface StartedBulkOperation {
  /** How many tasks matched. */
  readonly count: number;
  /** Null for a preview. */
  readonly receipt: Receipt | null;
}

/** Orders a command for many tasks. The order is a task, which the role `steward` carries out. Throws `Refused`. */
export class StartBulkOperation extends Command<StartedBulkOperation> {
  constructor(
    readonly order: BulkOrder,
    /** How many tasks match now. */
    readonly count: number,
    readonly isPreview: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** An operation goes on where it stopped, so a failed attempt is worth a retry. */
export const OPERATIONS: ServiceQueue = {
  name: OPERATIONS_QUEUE,
  description: 'Commands for many tasks',
  policy: { onFailure: 'retry' },
};

@CommandHandler(StartBulkOperation)
export class StartBulkOperationHandler implements ICommandHandler<StartBulkOperation> {
  constructor(
    private readonly orders: OperationOrders,
    private readonly queues: QueueDirectory,
  ) {}

  async execute({ order, count, isPreview, context }: StartBulkOperation): Promise<StartedBulkOperation> {
    const earlier = isPreview ? null : await this.orders.earlier(context);
    if (earlier) return earlier;
    if (count === 0) await this.assertKnown(order.filter?.['queue']);
    await this.assertKnown(order.again?.queue);
    if (isPreview) return { count, receipt: null };
    if (count === 0) throw new Refused({ code: 'NO_TASK_MATCHES' });
    return this.orders.place(OPERATIONS, { kind: order.command, order, count }, context);
  }

  private async assertKnown(queue: string | undefined): Promise<void> {
    if (queue === undefined) return;
    const { state } = await this.queues.get(queue);
    if (state.status === 'unknown' || state.status === 'deleted') throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
  }
}
