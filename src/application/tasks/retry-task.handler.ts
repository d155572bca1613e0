import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Lets a failed or cancelled task wait again; `override` allows another step than the one the failure implies. */
export class RetryTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly step: string | null,
    readonly override: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RetryTask)
export class RetryTaskHandler implements ICommandHandler<RetryTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, step, override, context }: RetryTask): Promise<Receipt> {
    return this.tasks.run(taskId, (given) => ({ ...given, type: 'RetryTask', step, override, heldBy: null }), context);
  }
}
