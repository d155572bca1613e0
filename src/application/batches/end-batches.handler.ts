import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { batchDecider } from '../../domain/batch/batch.decider.js';
import type { BatchCounts } from '../../domain/batch/batch.events.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { BatchStreamCommand } from './batch-stream-command.js';

/** A batch whose tasks have all ended. */
export interface EndedBatch {
  readonly id: string;
  readonly counts: BatchCounts;
}

/** Ends batches. Returns how many. Leaves a batch alone whose tasks have changed since they were counted. */
export class EndBatches extends Command<number> {
  constructor(
    readonly batches: readonly EndedBatch[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(EndBatches)
export class EndBatchesHandler implements ICommandHandler<EndBatches> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ batches, context }: EndBatches): Promise<number> {
    const now = this.clock.iso();
    const work = batches.map(
      ({ id, counts }) =>
        new BatchStreamCommand({ type: 'EndBatch', batch: id, counts, now }, { batch: { id, ...counts } }),
    );
    const outcomes = await this.runner.runMany(batchDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }
}
