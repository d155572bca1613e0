import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { QueueCommands } from './queue-commands.js';

/** Takes no more tasks in; those that are there are worked on. */
export class CloseIntake extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly reason: string | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CloseIntake)
export class CloseIntakeHandler implements ICommandHandler<CloseIntake> {
  constructor(private readonly queues: QueueCommands) {}

  execute({ name, reason, context }: CloseIntake): Promise<Receipt> {
    return this.queues.run(name, (given) => ({ ...given, type: 'CloseIntake', reason }), context);
  }
}
