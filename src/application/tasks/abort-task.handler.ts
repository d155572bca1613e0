import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Ends a task for good, at once; a running one's late report is refused. */
export class AbortTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly reason: string | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(AbortTask)
export class AbortTaskHandler implements ICommandHandler<AbortTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, reason, context }: AbortTask): Promise<Receipt> {
    return this.tasks.run(taskId, (given) => ({ ...given, type: 'AbortTask', reason }), context);
  }
}
