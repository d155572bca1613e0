import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { Repair } from '../../domain/failure-group/failure-group.decider.js';
import { OPERATIONS_QUEUE } from '../bulk-operations/bulk-operation.js';
import { TaskQueues } from '../history/task-queues.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { KnownFailureGroups } from './known-failure-groups.port.js';

/** What a person says of a group of failures. */
export type FailureGroupOperation =
  | (Repair & { readonly type: 'ResolveFailureGroup' })
  | { readonly type: 'IgnoreFailureGroup' | 'ReopenFailureGroup' };

/**
 * Gives the command, for the reason of the context. Throws `Refused` if there are no such failures, or no operation that
 * repaired them.
 */
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
    private readonly groups: KnownFailureGroups,
    private readonly tasks: TaskQueues,
  ) {}

  async execute({ group, operation, context }: OperateFailureGroup): Promise<Receipt> {
    if (!(await this.groups.has(group))) throw new Refused({ code: 'FAILURE_GROUP_NOT_FOUND', group });
    if (operation.type === 'ResolveFailureGroup') await this.assertOperation(operation.operation);
    const given = { group, by: context.actor, reason: context.reason ?? null, now: this.clock.iso() };
    return this.commands.runOn(AGGREGATES.failure, group, { ...operation, ...given }, context);
  }

  private async assertOperation(operation: string | null): Promise<void> {
    if (operation === null) return;
    const queues = await this.tasks.of([operation]);
    if (queues.get(operation) !== OPERATIONS_QUEUE) throw new Refused({ code: 'OPERATION_NOT_FOUND', operation });
  }
}
