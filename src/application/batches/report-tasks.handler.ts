import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { batchDecider } from '../../domain/batch/batch.decider.js';
import type { ReportedTask } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { EventStore } from '../kernel/event-store.port.js';
import { BatchMembers } from './batch-members.port.js';
import { BatchReports, MOST_REPORTED } from './batch-reports.js';
import { BatchStreamCommand } from './batch-stream-command.js';

/** Reports tasks by themselves that were run again after their batch's end. Returns of how many batches. */
export class ReportTasks extends Command<number> {
  constructor(
    readonly batches: readonly string[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ReportTasks)
export class ReportTasksHandler implements ICommandHandler<ReportTasks> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly store: EventStore,
    private readonly members: BatchMembers,
    private readonly reports: BatchReports,
  ) {}

  async execute({ batches, context }: ReportTasks): Promise<number> {
    const histories = await this.store.readStreams(batches.map(batchStream));
    let done = 0;
    for (const [at, batch] of batches.entries()) {
      const { tasks, asOf } = await this.reports.endedAgain(batch, histories[at]!);
      if (!(await this.tell(batch, tasks, context))) continue;
      await this.members.lookedForEnded(batch, asOf);
      done++;
    }
    return done;
  }

  /** In parts, so that no append is too large. What was told is found in the log, so a crash between two repeats nothing. */
  private async tell(batch: string, tasks: readonly ReportedTask[], context: CommandContext): Promise<boolean> {
    for (let at = 0; at < tasks.length; at += MOST_REPORTED) {
      const part = tasks.slice(at, at + MOST_REPORTED);
      const command = { type: 'ReportTasks', batch, tasks: part, now: this.clock.iso() } as const;
      const outcome = await this.runner.run(batchDecider, new BatchStreamCommand(command, {}), context);
      if (outcome.kind !== 'accepted') return false;
    }
    return true;
  }
}
