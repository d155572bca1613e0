import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { Drain } from '../../domain/system/system.events.js';
import { DRAIN } from '../../domain/system/system.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';

/** Stops giving out tasks, for the reason of the context. Repeated with other values, it changes the drain. */
export class DrainSystem extends Command<Receipt> {
  constructor(
    readonly drain: Drain,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Gives out tasks again. `stopped`: the tasks that shutdowns have stopped are retried. */
export class ResumeSystem extends Command<Receipt> {
  constructor(
    readonly stopped: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(DrainSystem)
export class DrainSystemHandler implements ICommandHandler<DrainSystem> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly clock: Clock,
  ) {}

  execute({ drain, context }: DrainSystem): Promise<Receipt> {
    const given = { now: this.clock.iso(), by: context.actor, reason: context.reason ?? null };
    return this.commands.runOn(AGGREGATES.system, DRAIN, { type: 'DrainSystem', drain, ...given }, context);
  }
}

@CommandHandler(ResumeSystem)
export class ResumeSystemHandler implements ICommandHandler<ResumeSystem> {
  constructor(private readonly commands: StreamCommands) {}

  execute({ stopped, context }: ResumeSystem): Promise<Receipt> {
    return this.commands.runOn(AGGREGATES.system, DRAIN, { type: 'ResumeSystem', stopped }, context);
  }
}
