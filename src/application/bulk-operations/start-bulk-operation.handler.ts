import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Json } from '../../domain/kernel/json.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { EventStore } from '../kernel/event-store.port.js';
import { Idempotency } from '../kernel/idempotency.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { DefineQueue, DefineQueueHandler } from '../queues/define-queue.handler.js';
import { type EnqueueOutcome, EnqueueTasks, EnqueueTasksHandler } from '../tasks/enqueue-tasks.handler.js';
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
const POLICY = { onFailure: 'retry' } as const;

@CommandHandler(StartBulkOperation)
export class StartBulkOperationHandler implements ICommandHandler<StartBulkOperation> {
  constructor(
    private readonly defineQueue: DefineQueueHandler,
    private readonly enqueueTasks: EnqueueTasksHandler,
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

  private async enqueue(order: BulkOrder, count: number, given: CommandContext): Promise<Receipt> {
    const context = { ...given, isService: true } as const;
    const { actor: by, reason } = context;
    const operation: BulkOperation = { ...order, ...(reason !== undefined && { reason }), expected: count, by };
    const item = { taskId: null, queue: OPERATIONS_QUEUE, kind: order.command, payload: operation as unknown as Json };
    const outcome = await this.inItsQueue(context, async () => {
      const [one] = await this.enqueueTasks.execute(new EnqueueTasks([item], context));
      return one!;
    });
    if (outcome.kind === 'refused') throw new Refused(outcome.rejection);
    return outcome.receipt;
  }

  /** The first operation defines the queue. */
  private async inItsQueue(context: CommandContext, enqueue: () => Promise<EnqueueOutcome>): Promise<EnqueueOutcome> {
    const outcome = await enqueue();
    if (outcome.kind === 'done' || outcome.rejection.code !== 'QUEUE_NOT_FOUND') return outcome;
    const { idempotencyKey: _ofTheOperation, ...unkeyed } = context;
    await this.defineQueue.execute(new DefineQueue(OPERATIONS_QUEUE, 'Commands for many tasks', POLICY, unkeyed));
    return enqueue();
  }

  /** A repeated order gets the count of the first one. */
  private async asOrdered(receipt: Receipt): Promise<StartedBulkOperation> {
    const [history] = await this.store.readStreams([taskStream(receipt.id)]);
    const { payload } = history![0]!.event.data as { readonly payload: BulkOperation };
    return { count: payload.expected, receipt };
  }
}
