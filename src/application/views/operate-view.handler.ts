import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { ViewDefinition } from '../../domain/view/view.events.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { Idempotency } from '../kernel/idempotency.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { Turns } from '../kernel/turns.port.js';
import { KnownViews } from './known-views.port.js';

/** Saves a view for everybody, or changes what it shows. */
export class SaveView extends Command<Receipt> {
  constructor(
    readonly view: string,
    readonly definition: ViewDefinition,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Deletes a view for everybody. */
export class DeleteView extends Command<Receipt> {
  constructor(
    readonly view: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SaveView)
export class SaveViewHandler implements ICommandHandler<SaveView> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly known: KnownViews,
    private readonly turns: Turns,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
  ) {}

  /** One at a time: of two that are counted together, each would be the last for which there is room. */
  execute({ view, definition, context }: SaveView): Promise<Receipt> {
    return this.idempotency.once(context, () =>
      this.turns.alone('definitions', () => this.save(view, definition, context)),
    );
  }

  private async save(view: string, definition: ViewDefinition, context: CommandContext): Promise<Receipt> {
    const others = await this.known.others(view);
    const command = { type: 'SaveView', view, definition, others, by: context.actor, now: this.clock.iso() } as const;
    return this.commands.runOn(AGGREGATES.view, view, command, context);
  }
}

@CommandHandler(DeleteView)
export class DeleteViewHandler implements ICommandHandler<DeleteView> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly clock: Clock,
  ) {}

  execute({ view, context }: DeleteView): Promise<Receipt> {
    const command = { type: 'DeleteView', view, by: context.actor, now: this.clock.iso() } as const;
    return this.commands.runOn(AGGREGATES.view, view, command, context);
  }
}
