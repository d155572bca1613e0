import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import type { StoredResource } from './resource-states.port.js';

/** Records of resources that nobody has measured them for too long. Returns of how many. */
export class RecordStaleness extends Command<number> {
  constructor(
    readonly stale: readonly StoredResource[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RecordStaleness)
export class RecordStalenessHandler implements ICommandHandler<RecordStaleness> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly clock: Clock,
  ) {}

  async execute({ stale, context }: RecordStaleness): Promise<number> {
    const now = this.clock.iso();
    for (const stored of stale) {
      const { name: resource, limits } = stored;
      const command = { type: 'RecordStaleness', resource, limits, now } as const;
      await this.commands.runOn(AGGREGATES.resource, resource, command, context, { stored });
    }
    return stale.length;
  }
}
