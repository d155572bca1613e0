import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { QueueCommands } from './queue-commands.js';

/** Ends a pause. */
export class ResumeQueue extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ResumeQueue)
export class ResumeQueueHandler implements ICommandHandler<ResumeQueue> {
  constructor(private readonly queues: QueueCommands) {}

  execute({ name, context }: ResumeQueue): Promise<Receipt> {
    return this.queues.run(name, (given) => ({ ...given, type: 'ResumeQueue' }), context);
  }
}
