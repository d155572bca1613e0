import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { Repair } from '../../domain/failure-group/failure-group.decider.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';

/** What a person says of a group of failures. */
export type FailureGroupOperation =
  (Repair & { readonly type: 'ResolveFailureGroup' }) | { readonly type: 'IgnoreFailureGroup' | 'ReopenFailureGroup' };

/** Gives the command, for the reason of the context. That there are such failures is for the caller to know. */
export class OperateFailureGroup extends Command<Receipt> {
  constructor(
    readonly group: string,
    readonly operation: FailureGroupOperation,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(OperateFailureGroup)
export class OperateFailureGroupHandler implements ICommandHandler<OperateFailureGroup> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly clock: Clock,
  ) {}

  execute({ group, operation, context }: OperateFailureGroup): Promise<Receipt> {
    const given = { group, by: context.actor, reason: context.reason ?? null, now: this.clock.iso() };
    return this.commands.runOn(AGGREGATES.failure, group, { ...operation, ...given }, context);
  }
}
