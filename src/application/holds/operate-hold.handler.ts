import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { HoldSelector } from '../../domain/hold/hold.events.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';

/** `forbidsErasure`: what the hold is to do. `mayErase`: whether the caller may erase, so also end what forbids it. */
export interface HoldRights {
  readonly forbidsErasure?: boolean;
  readonly mayErase: boolean;
}

/**
 * Places a hold, for the reason of the context. `forbidsErasure`: it catches no task, and what the tasks were about cannot be erased.
 * Repeated with something else, it changes the hold.
 */
export class PlaceHold extends Command<Receipt> {
  constructor(
    readonly hold: string,
    readonly selector: HoldSelector,
    readonly context: CommandContext,
    readonly rights: HoldRights,
  ) {
    super();
  }
}

/** Lifts a hold. The tasks that it caught stay held until each is released. */
export class LiftHold extends Command<Receipt> {
  constructor(
    readonly hold: string,
    readonly context: CommandContext,
    readonly mayErase: boolean,
  ) {
    super();
  }
}

@CommandHandler(PlaceHold)
export class PlaceHoldHandler implements ICommandHandler<PlaceHold> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly clock: Clock,
  ) {}

  execute({ hold, selector, rights, context }: PlaceHold): Promise<Receipt> {
    const { forbidsErasure = false, mayErase } = rights;
    const given = { hold, now: this.clock.iso(), by: context.actor, reason: context.reason ?? null, mayErase };
    return this.commands.runOn(
      AGGREGATES.hold,
      hold,
      { type: 'PlaceHold', selector, forbidsErasure, ...given },
      context,
    );
  }
}

@CommandHandler(LiftHold)
export class LiftHoldHandler implements ICommandHandler<LiftHold> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly clock: Clock,
  ) {}

  execute({ hold, context, mayErase }: LiftHold): Promise<Receipt> {
    const given = { hold, now: this.clock.iso(), by: context.actor, mayErase };
    return this.commands.runOn(AGGREGATES.hold, hold, { type: 'LiftHold', ...given }, context);
  }
}
