import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Higher first; of a task that does not run. */
export class ReprioritiseTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly priority: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ReprioritiseTask)
export class ReprioritiseTaskHandler implements ICommandHandler<ReprioritiseTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, priority, context }: ReprioritiseTask): Promise<Receipt> {
    return this.tasks.run(taskId, (given) => ({ ...given, type: 'ReprioritiseTask', priority }), context);
  }
}
