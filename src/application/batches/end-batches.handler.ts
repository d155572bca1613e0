import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { batchDecider } from '../../domain/batch/batch.decider.js';
import type { BatchCounts } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { EventStore, type RecordedEvent } from '../kernel/event-store.port.js';
import { IndexRows } from '../kernel/index-rows.port.js';
import { BatchReports } from './batch-reports.js';
import { BatchStreamCommand } from './batch-stream-command.js';

/** A batch whose tasks have all ended, or which is to report although some have not. */
export interface EndedBatch {
  readonly id: string;
  readonly counts: BatchCounts;
}

/**
 * Ends batches, with a report of each. Returns how many. Leaves a batch alone whose tasks have changed since they were
 * counted, or were counted wrongly: a wrong row must not become a wrong event.
 */
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
    private readonly store: EventStore,
    private readonly reports: BatchReports,
    private readonly rows: IndexRows,
  ) {}

  async execute({ batches: over, context }: EndBatches): Promise<number> {
    const miscounted = await this.rows.recount(over.map(({ id }) => id));
    const batches = over.filter(({ id }) => !miscounted.has(id));
    const histories = await this.store.readStreams(batches.map(({ id }) => batchStream(id)));
    const work: BatchStreamCommand[] = [];
    for (const [at, batch] of batches.entries()) work.push(await this.ending(batch, histories[at]!));
    const outcomes = await this.runner.runMany(batchDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }

  private async ending({ id, counts }: EndedBatch, history: readonly RecordedEvent[]): Promise<BatchStreamCommand> {
    const report = await this.reports.contentOf(id, history, counts.total);
    const command = { type: 'EndBatch', batch: id, counts, report, now: this.clock.iso() } as const;
    return new BatchStreamCommand(command, { batch: { id, ...counts } });
  }
}
