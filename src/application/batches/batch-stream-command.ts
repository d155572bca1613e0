import type { BatchCommand } from '../../domain/batch/batch.commands.js';
import type { BatchState } from '../../domain/batch/batch.state.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import type { Rejection } from '../kernel/application-error.js';
import type { AppendConditions, Refusal } from '../kernel/event-store.port.js';
import { rejectionOf } from '../kernel/rejection-of.js';
import type { AnsweredCommand } from '../kernel/stream-commands.js';

/** One command on one batch. */
export class BatchStreamCommand implements AnsweredCommand<BatchState, BatchCommand> {
  readonly stream: string;
  readonly load = 'whole';

  constructor(
    private readonly order: BatchCommand,
    readonly conditions: AppendConditions,
    /** Throws `Refused` if the batch does not take the command from people. */
    private readonly assertOffered: (state: BatchState) => Promise<void> = async () => undefined,
    /** Whether the index had counted the batch's tasks wrongly. It counts them right then. */
    private readonly wasMiscounted: () => Promise<boolean> = async () => false,
  ) {
    this.stream = batchStream(order.batch);
  }

  // Properties instead of methods, because the runner copies a command by its own properties.
  readonly command = async (state: BatchState): Promise<BatchCommand> => {
    await this.assertOffered(state);
    return this.order;
  };

  readonly onRefused = async ({ constraint }: Refusal): Promise<object | null> =>
    constraint === 'batch-differs' && (await this.wasMiscounted()) ? {} : null;

  readonly rejectionFor = (refusal: Refusal): Rejection => {
    if (refusal.constraint !== 'batch-differs') return rejectionOf(refusal, this);
    return this.order.type === 'OpenBatch'
      ? { code: 'BATCH_INCOMPLETE', expected: this.order.tasks, actual: refusal.total }
      : { code: 'CONTENTION' };
  };
}
