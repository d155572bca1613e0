import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskDecider } from '../../domain/task/task.decider.js';
import { BatchDirectory } from '../kernel/batch-directory.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { keyOf } from '../kernel/idempotency.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { operationOn, type TaskOperation } from './task-operation.js';

export type { TaskOperation } from './task-operation.js';

/** Gives a command to one task. */
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
    private readonly batches: BatchDirectory,
  ) {}

  execute({ taskId, operation, context }: OperateTask): Promise<Receipt> {
    const [now, idempotencyKey] = [this.clock.iso(), keyOf(context)];
    const command = operationOn(taskId, operation, {
      now,
      context,
      queues: this.queues,
      batches: this.batches,
      idempotencyKey,
    });
    return this.commands.run(taskDecider, taskId, command, context);
  }
}
