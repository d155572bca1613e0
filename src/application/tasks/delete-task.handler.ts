import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Removes a task from sight, never its history; a running one only by force. */
export class DeleteTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly force: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(DeleteTask)
export class DeleteTaskHandler implements ICommandHandler<DeleteTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, force, context }: DeleteTask): Promise<Receipt> {
    return this.tasks.run(taskId, (given) => ({ ...given, type: 'DeleteTask', force }), context);
  }
}
