import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { BatchCommand, BatchCommandOf } from '../../domain/batch/batch.commands.js';
import { batchDecider } from '../../domain/batch/batch.decider.js';
import type { OfferableBatchCommand } from '../../domain/batch/batch.policy.js';
import type { BatchState } from '../../domain/batch/batch.state.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import type { AppendConditions } from '../kernel/event-store.port.js';
import { IndexRows } from '../kernel/index-rows.port.js';
import { keyOf } from '../kernel/idempotency.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { BatchOffers } from './batch-offers.js';
import { BatchStreamCommand } from './batch-stream-command.js';
import { receiptOfFirst } from './receipt-of-first.js';

type OperationType = 'CreateBatch' | 'OpenBatch' | 'RequestReport' | 'RerunBatch' | 'AbortBatch' | 'DeleteBatch';

type OperatorInput<T extends OperationType> = T extends unknown
  ? Omit<BatchCommandOf<T>, 'now' | 'batch' | 'by'>
  : never;

/** A person's or a service's command on a batch. */
export type BatchOperation = OperatorInput<OperationType>;

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
    private readonly bus: CommandBus,
    private readonly commands: StreamCommands,
    private readonly offers: BatchOffers,
    private readonly clock: Clock,
    private readonly rows: IndexRows,
  ) {}

  async execute(operate: OperateBatch): Promise<Receipt> {
    const { batch, operation, context } = operate;
    const mayDepend = !context.unit && DEPENDENT.includes(operation.type);
    return mayDepend && (await this.offers.dependOnPlanner(batch))
      ? receiptOfFirst(this.bus, [stepOf(operate)], context)
      : this.operate(operate);
  }

  private operate({ batch, operation, context }: OperateBatch): Promise<Receipt> {
    const command = { ...operation, batch, by: context.actor, now: this.clock.iso() } as BatchCommand;
    const conditions = { ...conditionsOf(command), idempotencyKey: keyOf(context) };
    const assertOffered = (state: BatchState) => this.assertOffered(operation.type, state, context);
    const wasMiscounted = async () => (await this.rows.recount([batch])).size > 0;
    const work = new BatchStreamCommand(command, conditions, assertOffered, wasMiscounted);
    return this.commands.run(batchDecider, batch, work, context);
  }

  private async assertOffered(type: OperationType, state: BatchState, { unit }: CommandContext): Promise<void> {
    if (type === 'CreateBatch') return;
    await this.offers.assert(type satisfies OfferableBatchCommand, state, unit);
  }
}

/** The commands on a batch that is still planned. A transaction demands that its planner is still as it was read. */
const DEPENDENT: readonly OperationType[] = ['OpenBatch', 'AbortBatch', 'DeleteBatch'];

const stepOf = ({ batch, operation }: OperateBatch) => ({
  kind: 'operate' as const,
  on: { batch },
  command: (context: CommandContext) => new OperateBatch(batch, operation, context),
});

/** What must hold of the batch's tasks. */
function conditionsOf(command: BatchCommand): AppendConditions {
  const { batch: id } = command;
  if (command.type === 'OpenBatch') return { batch: { id, total: command.tasks } };
  return command.type === 'DeleteBatch' ? { unneeded: id } : {};
}
