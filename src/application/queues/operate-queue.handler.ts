import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { QueueCommandOf } from '../../domain/queue/queue.commands.js';
import { isLimitable } from '../../domain/queue/reserved.policy.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import type { AppendConditions } from '../kernel/event-store.port.js';
import { DefineQueueHandler } from './define-queue.handler.js';
import { QueueCommands } from './queue-commands.js';
import { assertNotReserved } from './reserved-queue.js';
import { definitionOf, deliveryQueue } from './service-queues.js';

type OperationType =
  | 'SetLimit'
  | 'UnsetLimit'
  | 'PauseQueue'
  | 'ResumeQueue'
  | 'CloseIntake'
  | 'OpenIntake'
  | 'FinishQueue'
  | 'ReopenQueue'
  | 'DeleteQueue';

type OperatorInput<T extends OperationType> = T extends unknown
  ? Omit<QueueCommandOf<T>, 'now' | 'by' | 'queue' | 'awaited'>
  : never;

/** A person's or a service's command on an existing queue, other than a change of its policy as a whole. */
export type QueueOperation = OperatorInput<OperationType>;

/** Runs such a command on one queue. */
export class OperateQueue extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly operation: QueueOperation,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Conditions of the append, for the commands that have any. */
const CONDITIONS: { readonly [T in OperationType]?: (queue: string) => AppendConditions } = {
  FinishQueue: (queue) => ({ queueEmpty: queue }),
  DeleteQueue: (queue) => ({ queueEmpty: queue, notAwaited: queue }),
};

/** Whether anybody may give this command to the queue, though it may be one of the service's own. */
const mayBeReserved = (type: OperationType, queue: string): boolean => {
  if (type === 'DeleteQueue') return false;
  return (type !== 'SetLimit' && type !== 'UnsetLimit') || isLimitable(queue);
};

@CommandHandler(OperateQueue)
export class OperateQueueHandler implements ICommandHandler<OperateQueue> {
  constructor(
    private readonly queues: QueueCommands,
    private readonly defineQueue: DefineQueueHandler,
  ) {}

  async execute({ name, operation, context }: OperateQueue): Promise<Receipt> {
    if (!mayBeReserved(operation.type, name)) assertNotReserved(name, context);
    const delivers = operation.type === 'SetLimit' ? deliveryQueue(name) : undefined;
    // The first delivery would define it, and may have to be limited itself.
    if (delivers) await this.defineQueue.execute(definitionOf(delivers, context));
    return this.queues.run(name, (given) => ({ ...given, ...operation }), context, CONDITIONS[operation.type]?.(name));
  }
}
