import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import { DRAIN } from '../../domain/system/system.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';

/** Records that nothing runs any more, unless that is recorded, or the system no longer drains as it does `since` then. */
export class QuiesceSystem extends Command<Receipt> {
  constructor(
    readonly since: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(QuiesceSystem)
export class QuiesceSystemHandler implements ICommandHandler<QuiesceSystem> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly clock: Clock,
  ) {}

  execute({ since, context }: QuiesceSystem): Promise<Receipt> {
    const command = { type: 'QuiesceSystem', since, now: this.clock.iso() } as const;
    return this.commands.runOn(AGGREGATES.system, DRAIN, command, context);
  }
}
