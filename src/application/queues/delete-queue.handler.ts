import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { QueueCommands } from './queue-commands.js';

/** Removes the queue from sight, never its history; refused while any of its tasks is open or another queue waits for it. */
export class DeleteQueue extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(DeleteQueue)
export class DeleteQueueHandler implements ICommandHandler<DeleteQueue> {
  constructor(private readonly queues: QueueCommands) {}

  execute({ name, context }: DeleteQueue): Promise<Receipt> {
    return this.queues.run(name, (given) => ({ ...given, type: 'DeleteQueue' }), context, {
      queueEmpty: name,
      notAwaited: name,
    });
  }
}
