import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { QueueCommands } from './queue-commands.js';
import type { IsoTime } from '../../domain/kernel/json.js';

/** Gives nothing out until somebody resumes the queue, or until `until`. What runs, runs on; intake stays open. */
export class PauseQueue extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly reason: string | null,
    readonly until: IsoTime | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(PauseQueue)
export class PauseQueueHandler implements ICommandHandler<PauseQueue> {
  constructor(private readonly queues: QueueCommands) {}

  execute({ name, reason, until, context }: PauseQueue): Promise<Receipt> {
    return this.queues.run(name, (given) => ({ ...given, type: 'PauseQueue', reason, until }), context);
  }
}
