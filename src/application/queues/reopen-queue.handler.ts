import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { QueueCommands } from './queue-commands.js';

/** The way back from finished. */
export class ReopenQueue extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ReopenQueue)
export class ReopenQueueHandler implements ICommandHandler<ReopenQueue> {
  constructor(private readonly queues: QueueCommands) {}

  execute({ name, context }: ReopenQueue): Promise<Receipt> {
    return this.queues.run(name, (given) => ({ ...given, type: 'ReopenQueue' }), context);
  }
}
