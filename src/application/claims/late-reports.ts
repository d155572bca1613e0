import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../kernel/at-most.js';
import { consumerDecider } from '../../domain/queue-consumer/consumer.decider.js';
import { consumerStream } from '../../domain/queue-consumer/consumer.stream.js';
import { lateReportDecider, type LateReportState } from '../../domain/task/late-reports.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import type { Outcome } from '../kernel/stream-command.js';
import { parseClaimToken } from './claim-token.js';

const MOST_SEEN = 10_000;

/** A worker's report under a claim that had ended. */
export interface LateReport {
  readonly taskId: string;
  /** The whole token, as the worker sent it. */
  readonly token: string;
  readonly report: string;
}

/**
 * Records the first report that comes under each claim that was lost, because it shows that a worker still believed the
 * task was its own. In serial queues, two workers believed that the queue was, too.
 */
@Injectable()
export class LateReports {
  /** The tokens whose reports were looked at. A worker that does not stop repeats its reports for as long as it lives. */
  private readonly seen = new LRUCache<string, true>(atMost(MOST_SEEN));

  constructor(
    private readonly runner: DeciderRunner,
    private readonly queues: QueueDirectory,
  ) {}

  /** Reports of a transaction are recorded when it has ended: it is refused with them, and holds their streams until then. */
  async record(reports: readonly LateReport[], { unit, ...context }: CommandContext): Promise<void> {
    if (unit) unit.after(() => this.recordNow(reports, context));
    else await this.recordNow(reports, context);
  }

  private async recordNow(reports: readonly LateReport[], context: CommandContext): Promise<void> {
    const first = reports.filter(({ token }) => !this.seen.has(token) && parseClaimToken(token) !== null);
    if (first.length === 0) return;
    const outcomes = await this.runner.runMany(lateReportDecider, first.map(commandFor), context);
    for (const [at, report] of first.entries()) {
      const queue = queueIn(outcomes[at]!);
      if (queue !== null) await this.recordOfConsumer(report, queue, context);
      if (isDone(outcomes[at]!)) this.seen.set(report.token, true);
    }
  }

  private async recordOfConsumer(
    { taskId, token, report }: LateReport,
    queue: string,
    context: CommandContext,
  ): Promise<void> {
    const { state } = await this.queues.get(queue);
    if (!('queue' in state) || state.queue.policy.concurrency !== 'serial') return;
    const command = { type: 'RefuseLateReport' as const, queue, taskId, token: numberOf(token), report };
    await this.runner.run(consumerDecider, { stream: consumerStream(queue), command, load: 'whole' }, context);
  }
}

const numberOf = (token: string): string => parseClaimToken(token)!.token;

const commandFor = ({ taskId, token, report }: LateReport) => ({
  stream: taskStream(taskId),
  command: { token: numberOf(token), report },
  load: 'whole' as const,
});

type Recorded = Outcome<LateReportState, TaskEvent, never>;

/** What cannot be recorded now may be so when the worker repeats its report. */
const isDone = ({ kind }: Recorded): boolean => kind !== 'contended' && kind !== 'refused';

/** The queue of the task; null if there is no task, or it cannot be read. */
function queueIn(outcome: Recorded): string | null {
  if (outcome.kind !== 'accepted' && outcome.kind !== 'alreadyDone') return null;
  const { task } = outcome.state;
  return task.status === 'unknown' ? null : task.task.submission.queue;
}
