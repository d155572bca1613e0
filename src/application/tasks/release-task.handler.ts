import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Ends a hold. */
export class ReleaseTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ReleaseTask)
export class ReleaseTaskHandler implements ICommandHandler<ReleaseTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, context }: ReleaseTask): Promise<Receipt> {
    return this.tasks.run(taskId, (given) => ({ ...given, type: 'ReleaseTask' }), context);
  }
}
