import { Injectable } from '@nestjs/common';
import { fold } from '../../domain/kernel/decider.js';
import { consumerDecider } from '../../domain/queue-consumer/consumer.decider.js';
import { consumerStream } from '../../domain/queue-consumer/consumer.stream.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { EventStore } from '../kernel/event-store.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { parseClaimToken } from './claim-token.js';

/** What a worker said under a claim that was over. */
export interface LateReport {
  readonly taskId: string;
  /** As the claim gave it. */
  readonly token: string;
  readonly report: string;
}

/** Keeps in mind what consumers of serial queues say after the queue was taken over: two believed to be the one. */
@Injectable()
export class LateReports {
  constructor(
    private readonly store: EventStore,
    private readonly runner: DeciderRunner,
    private readonly queues: QueueDirectory,
  ) {}

  /** The reports are refused already, whatever becomes of this; and of the transaction that they were part of. */
  async record(reports: readonly LateReport[], { unit: _refused, ...context }: CommandContext): Promise<void> {
    if (reports.length === 0) return;
    const streams = await this.store.readStreams(reports.map(({ taskId }) => taskStream(taskId)));
    for (const [index, report] of reports.entries()) {
      const state = fold(
        taskDecider,
        streams[index]!.map(({ event }) => event as TaskEvent),
      );
      if (state.status !== 'unknown') await this.recordOne(report, state.task.submission.queue, context);
    }
  }

  private async recordOne(
    { taskId, token, report }: LateReport,
    queue: string,
    context: CommandContext,
  ): Promise<void> {
    const { state } = await this.queues.get(queue);
    const claim = parseClaimToken(token);
    if (!claim || !('queue' in state) || state.queue.policy.concurrency !== 'serial') return;
    const command = { type: 'RefuseLateReport' as const, queue, taskId, token: claim.token, report };
    await this.runner.run(consumerDecider, { stream: consumerStream(queue), command, load: 'fresh' }, context);
  }
}
