import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Stops a task so that it may be retried; a running one is asked to, and ends so, or failed under such a policy, when its worker confirms or is lost. */
export class CancelTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly reason: string | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CancelTask)
export class CancelTaskHandler implements ICommandHandler<CancelTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, reason, context }: CancelTask): Promise<Receipt> {
    return this.tasks.run(
      taskId,
      (given, _, { onCancel }) => ({ ...given, type: 'CancelTask', reason, onRunning: onCancel }),
      context,
    );
  }
}
