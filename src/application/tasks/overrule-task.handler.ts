import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Ends a running attempt against its worker, whose late report is refused. */
export class OverruleTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly verdict: 'succeed' | 'fail' | 'requeue',
    readonly reason: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(OverruleTask)
export class OverruleTaskHandler implements ICommandHandler<OverruleTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, verdict, reason, context }: OverruleTask): Promise<Receipt> {
    return this.tasks.run(
      taskId,
      (given, conflictingTaskId) => ({ ...given, type: 'OverruleTask', verdict, reason, conflictingTaskId }),
      context,
      { failOnKeyConflict: true },
    );
  }
}
