import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { BatchCommand, BatchCommandOf } from '../../domain/batch/batch.commands.js';
import { batchDecider } from '../../domain/batch/batch.decider.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import type { AppendConditions } from '../kernel/event-store.port.js';
import { keyOf } from '../kernel/idempotency.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { BatchStreamCommand } from './batch-stream-command.js';

type OperationType = 'CreateBatch' | 'OpenBatch' | 'AbortBatch' | 'DeleteBatch';

type Asked<T extends OperationType> = T extends unknown ? Omit<BatchCommandOf<T>, 'now' | 'batch'> : never;

/** A person's or a service's command on a batch. */
export type BatchOperation = Asked<OperationType>;

/** Runs such a command on one batch. */
export class OperateBatch extends Command<Receipt> {
  constructor(
    readonly batch: string,
    readonly operation: BatchOperation,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(OperateBatch)
export class OperateBatchHandler implements ICommandHandler<OperateBatch> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly clock: Clock,
  ) {}

  execute({ batch, operation, context }: OperateBatch): Promise<Receipt> {
    const command: BatchCommand = { ...operation, batch, now: this.clock.iso() };
    const conditions = { ...conditionsOf(command), idempotencyKey: keyOf(context) };
    return this.commands.run(batchDecider, batch, new BatchStreamCommand(command, conditions), context);
  }
}

/** What must hold of the batch's tasks. */
function conditionsOf(command: BatchCommand): AppendConditions {
  const { batch: id } = command;
  if (command.type === 'OpenBatch') return { batch: { id, total: command.tasks } };
  return command.type === 'DeleteBatch' ? { unneeded: id } : {};
}
