import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';

/** A failure that came after its group was resolved. */
export interface ReturnedFailure {
  readonly group: string;
  readonly queue: string;
  readonly task: string;
  readonly resolvedAt: string;
}

/** Opens the group again, unless somebody has said something else of it since. */
export class ReturnFailureGroup extends Command<Receipt> {
  constructor(
    readonly failure: ReturnedFailure,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ReturnFailureGroup)
export class ReturnFailureGroupHandler implements ICommandHandler<ReturnFailureGroup> {
  constructor(private readonly commands: StreamCommands) {}

  execute({ failure, context }: ReturnFailureGroup): Promise<Receipt> {
    return this.commands.runOn(AGGREGATES.failure, failure.group, { type: 'ReturnFailureGroup', ...failure }, context);
  }
}
