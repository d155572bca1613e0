import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { QueueCommands } from './queue-commands.js';

/** Says that the queue's work is done; refused while any of its tasks is open. */
export class FinishQueue extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(FinishQueue)
export class FinishQueueHandler implements ICommandHandler<FinishQueue> {
  constructor(private readonly queues: QueueCommands) {}

  execute({ name, context }: FinishQueue): Promise<Receipt> {
    return this.queues.run(name, (given) => ({ ...given, type: 'FinishQueue' }), context, { queueEmpty: name });
  }
}
