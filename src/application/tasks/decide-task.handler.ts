import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Decides about an undecided task: it is tried again, or fails for good. */
export class DecideTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly decision: 'retry' | 'fail',
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(DecideTask)
export class DecideTaskHandler implements ICommandHandler<DecideTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, decision, context }: DecideTask): Promise<Receipt> {
    return decision === 'retry'
      ? this.tasks.run(taskId, (given) => ({ ...given, type: 'DecideRetry', heldBy: null }), context)
      : this.tasks.run(taskId, (given) => ({ ...given, type: 'DecideFail' }), context);
  }
}
