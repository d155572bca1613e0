import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Lets a prepared task wait for a worker. */
export class SubmitTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SubmitTask)
export class SubmitTaskHandler implements ICommandHandler<SubmitTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, context }: SubmitTask): Promise<Receipt> {
    return this.tasks.run(taskId, (given) => ({ ...given, type: 'SubmitTask', heldBy: null }), context);
  }
}
