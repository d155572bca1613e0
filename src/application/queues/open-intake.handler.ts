import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { QueueCommands } from './queue-commands.js';

/** Takes tasks in again. */
export class OpenIntake extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(OpenIntake)
export class OpenIntakeHandler implements ICommandHandler<OpenIntake> {
  constructor(private readonly queues: QueueCommands) {}

  execute({ name, context }: OpenIntake): Promise<Receipt> {
    return this.queues.run(name, (given) => ({ ...given, type: 'OpenIntake' }), context);
  }
}
