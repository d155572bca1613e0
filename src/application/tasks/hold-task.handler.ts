import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Keeps a waiting task back until it is released; a running one is asked to stop, and is held then. */
export class HoldTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly reason: string | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(HoldTask)
export class HoldTaskHandler implements ICommandHandler<HoldTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, reason, context }: HoldTask): Promise<Receipt> {
    return this.tasks.run(taskId, (given) => ({ ...given, type: 'HoldTask', reason }), context);
  }
}
