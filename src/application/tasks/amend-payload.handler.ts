import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Json } from '../../domain/kernel/json.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { TaskCommands } from './task-commands.js';

/** Gives a task that does not run another payload; the former one stays in its history. */
export class AmendPayload extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly payload: Json,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(AmendPayload)
export class AmendPayloadHandler implements ICommandHandler<AmendPayload> {
  constructor(private readonly tasks: TaskCommands) {}

  execute({ taskId, payload, context }: AmendPayload): Promise<Receipt> {
    return this.tasks.run(taskId, (given) => ({ ...given, type: 'AmendPayload', payload }), context);
  }
}
