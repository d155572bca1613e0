import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OperatorCommandType, TaskCommand, TaskCommandOf } from '../../domain/task/task.commands.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { keyOf } from '../kernel/idempotency.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { TaskStreamCommand } from './task-stream-command.js';

/**
 * What the handler adds to the request: the time, the actor, and facts from the policy or about another task of the
 * key.
 */
type Added = 'now' | 'by' | 'heldBy' | 'onRunning' | 'conflictingTaskId';

type Asked<T extends OperatorCommandType> = T extends unknown ? Omit<TaskCommandOf<T>, Added> : never;

/** A person's or a service's command on a task. */
export type TaskOperation = Asked<OperatorCommandType>;

/** Runs such a command on one task. */
export class OperateTask extends Command<Receipt> {
  constructor(
    readonly taskId: string,
    readonly operation: TaskOperation,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(OperateTask)
export class OperateTaskHandler implements ICommandHandler<OperateTask> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
  ) {}

  execute({ taskId, operation, context }: OperateTask): Promise<Receipt> {
    const given = { now: this.clock.iso(), by: context.actor, heldBy: null };
    const command = new TaskStreamCommand({
      taskId,
      load: 'fresh',
      command: (conflictingTaskId, { onCancel: onRunning }) =>
        completed(operation, { ...given, conflictingTaskId, onRunning }),
      conditions: { idempotencyKey: keyOf(context) },
      queues: this.queues,
      unit: context.unit,
      mustBeOffered: true,
      failOnKeyConflict: operation.type === 'OverruleTask',
    });
    return this.commands.run(taskDecider, taskId, command, context);
  }
}

/** Adds to each command the facts that its type declares. */
const completed = (operation: TaskOperation, added: Readonly<Record<Added, unknown>>): TaskCommand =>
  ({ ...operation, ...added }) as unknown as TaskCommand;
