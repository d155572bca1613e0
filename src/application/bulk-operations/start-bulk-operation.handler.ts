import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Json } from '../../domain/kernel/json.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { EventStore } from '../kernel/event-store.port.js';
import { Idempotency } from '../kernel/idempotency.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { type ServiceQueue, ServiceTasks } from '../service-tasks/service-tasks.js';
import { type BulkOperation, type BulkOrder, OPERATIONS_QUEUE } from './bulk-operation.js';

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
const OPERATIONS: ServiceQueue = {
  name: OPERATIONS_QUEUE,
  description: 'Commands for many tasks',
  policy: { onFailure: 'retry' },
};

@CommandHandler(StartBulkOperation)
export class StartBulkOperationHandler implements ICommandHandler<StartBulkOperation> {
  constructor(
    private readonly tasks: ServiceTasks,
    private readonly queues: QueueDirectory,
    private readonly idempotency: Idempotency,
    private readonly store: EventStore,
  ) {}

  async execute({ order, count, isPreview, context }: StartBulkOperation): Promise<StartedBulkOperation> {
    // A repeated order may match nothing any more, because the first one was carried out.
    const earlier = isPreview ? null : await this.idempotency.earlier(context);
    if (earlier) return this.asOrdered(earlier);
    if (count === 0) await this.assertKnown(order.filter?.['queue']);
    if (isPreview) return { count, receipt: null };
    if (count === 0) throw new Refused({ code: 'NO_TASK_MATCHES' });
    return this.asOrdered(await this.enqueue(order, count, context));
  }

  private async assertKnown(queue: string | undefined): Promise<void> {
    if (queue === undefined) return;
    const { state } = await this.queues.get(queue);
    if (state.status === 'unknown' || state.status === 'deleted') throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
  }

  private async enqueue(order: BulkOrder, count: number, context: CommandContext): Promise<Receipt> {
    const { actor: by, reason } = context;
    const operation: BulkOperation = { ...order, ...(reason !== undefined && { reason }), expected: count, by };
    const task = { taskId: null, kind: order.command, payload: operation as unknown as Json };
    const [outcome] = await this.tasks.enqueue(OPERATIONS, [task], context);
    if (outcome!.kind === 'refused') throw new Refused(outcome!.rejection);
    return outcome!.receipt;
  }

  /** A repeated order gets the count of the first one. */
  private async asOrdered(receipt: Receipt): Promise<StartedBulkOperation> {
    const [history] = await this.store.readStreams([taskStream(receipt.id)]);
    const { payload } = history![0]!.event.data as { readonly payload: BulkOperation };
    return { count: payload.expected, receipt };
  }
}
