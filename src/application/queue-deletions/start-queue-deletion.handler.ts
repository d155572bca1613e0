import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { OperationOrders } from '../service-tasks/operation-orders.js';
import { Refused, type Rejection } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { assertNotReserved } from '../queues/reserved-queue.js';
import { QUEUE_DELETIONS, type QueueDeletionOrder, type QueueOutlook } from './queue-deletion.js';

export interface StartedQueueDeletion {
  /** How many tasks are deleted with the queue, and how many of them run. */
  readonly count: number;
  readonly running: number;
  /** Null for a preview. */
  readonly receipt: Receipt | null;
}

/**
 * Orders the deletion of a queue with its tasks, which the role `steward` carries out. Throws `Refused` if it is known
 * that it cannot be finished.
 */
export class StartQueueDeletion extends Command<StartedQueueDeletion> {
  constructor(
    readonly order: QueueDeletionOrder,
    /** As it is now. */
    readonly outlook: QueueOutlook,
    readonly isPreview: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(StartQueueDeletion)
export class StartQueueDeletionHandler implements ICommandHandler<StartQueueDeletion> {
  constructor(
    private readonly orders: OperationOrders,
    private readonly queues: QueueDirectory,
  ) {}

  async execute({ order, outlook, isPreview, context }: StartQueueDeletion): Promise<StartedQueueDeletion> {
    const { tasks: count, running } = outlook;
    const earlier = isPreview ? null : await this.orders.earlier(context);
    if (earlier) return { ...earlier, running };
    assertNotReserved(order.queue, context);
    const rejection = (await this.unknown(order.queue)) ?? inTheWay(order.queue, outlook);
    if (rejection) throw new Refused(rejection);
    if (isPreview) return { count, running, receipt: null };
    return { ...(await this.orders.place(QUEUE_DELETIONS, { kind: 'deleteQueue', order, count }, context)), running };
  }

  private async unknown(queue: string): Promise<Rejection | null> {
    const { state } = await this.queues.get(queue);
    return 'queue' in state ? null : { code: 'QUEUE_NOT_FOUND', queue };
  }
}

function inTheWay(queue: string, { awaitedBy, awaitedByQueue }: QueueOutlook): Rejection | null {
  if (awaitedByQueue !== null) return { code: 'QUEUE_AWAITED', queue, by: awaitedByQueue };
  return awaitedBy === null ? null : { code: 'TASK_AWAITED', awaitedBy };
}
