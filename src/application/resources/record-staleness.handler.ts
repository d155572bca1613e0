import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import type { StoredResource } from './resource-states.port.js';
import { ResourceCommands } from './resource-commands.js';

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
    private readonly resources: ResourceCommands,
    private readonly clock: Clock,
  ) {}

  async execute({ stale, context }: RecordStaleness): Promise<number> {
    const now = this.clock.iso();
    for (const known of stale) {
      const { name: resource, limits } = known;
      await this.resources.runOn(known, { type: 'RecordStaleness', resource, limits, now }, context);
    }
    return stale.length;
  }
}
