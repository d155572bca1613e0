import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { fold } from '../../domain/kernel/decider.js';
import { consumerDecider } from '../../domain/queue-consumer/consumer.decider.js';
import { consumerStream } from '../../domain/queue-consumer/consumer.stream.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { EventStore, type RecordedEvent } from '../kernel/event-store.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { readEach } from '../kernel/unreadable-stream.js';
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
 * Records reports that former consumers of serial queues send after a takeover, because they show that two workers
 * believed the queue was theirs.
 */
@Injectable()
export class LateReports {
  /** The tokens whose reports were looked at. A worker that does not stop repeats its reports for as long as it lives. */
  private readonly seen = new LRUCache<string, true>({ max: MOST_SEEN });

  constructor(
    private readonly store: EventStore,
    private readonly runner: DeciderRunner,
    private readonly queues: QueueDirectory,
  ) {}

  /** The reports have already been refused, and so has their transaction. They are therefore recorded outside of it. */
  async record(reports: readonly LateReport[], { unit: _refused, ...context }: CommandContext): Promise<void> {
    const first = reports.filter(({ token }) => !this.seen.has(token));
    if (first.length === 0) return;
    const names = first.map(({ taskId }) => taskStream(taskId));
    const queues = await readEach(names, (some) => this.store.readFirst(some), queueIn);
    for (const [index, report] of first.entries()) {
      const queue = queues[index]!;
      if (typeof queue === 'string') await this.recordOne(report, queue, context);
      this.seen.set(report.token, true);
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
    await this.runner.run(consumerDecider, { stream: consumerStream(queue), command, load: 'whole' }, context);
  }
}

/** The queue of the task; null if there is no task. */
function queueIn(history: readonly RecordedEvent[]): string | null {
  const state = fold(
    taskDecider,
    history.map(({ event }) => event as TaskEvent),
  );
  return state.status === 'unknown' ? null : state.task.submission.queue;
}
