import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { IsoTime } from '../../domain/kernel/json.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Not before `dueAt`; null: as soon as may be. */
export class RescheduleTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly dueAt: IsoTime | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RescheduleTask)
export class RescheduleTaskHandler implements ICommandHandler<RescheduleTask> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, dueAt, context }: RescheduleTask): Promise<Receipt> {
    return this.tasks.run(taskId, (given) => ({ ...given, type: 'RescheduleTask', dueAt }), context);
  }
}
