import { Injectable } from '@nestjs/common';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import type { Refusal } from '../kernel/event-store.port.js';
import { Idempotency, keyOf } from '../kernel/idempotency.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { receiptOf } from '../kernel/receipt.js';
import { type TaskCommandSpec, TaskStreamCommand } from './task-stream-command.js';

/** When and by whom: what every task command begins with. */
export type Given = Pick<TaskCommand, 'now' | 'by'>;

/** Runs one operator's command on one task. A refusal is thrown as `Refused`. */
@Injectable()
export class TaskCommands {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly queues: QueueDirectory,
  ) {}

  async run(
    taskId: string,
    command: (given: Given, conflictingTaskId: string | null, policy: QueuePolicy) => TaskCommand,
    context: CommandContext,
    options: Pick<TaskCommandSpec, 'failOnKeyConflict'> = {},
  ): Promise<Receipt> {
    const earlier = await this.idempotency.earlier(context);
    if (earlier) return earlier;
    const given = { now: this.clock.iso(), by: context.actor };
    const work = new TaskStreamCommand({
      taskId,
      load: 'fresh',
      command: (conflictingTaskId, policy) => command(given, conflictingTaskId, policy),
      conditions: { idempotencyKey: keyOf(context) },
      queues: this.queues,
      unit: context.unit,
      mustBeOffered: true,
      ...options,
    });
    const outcome = await this.runner.run(taskDecider, work, context);
    if (outcome.kind === 'rejected') return this.idempotency.refuse(outcome.rejection, context);
    if (outcome.kind === 'refused') return this.refused(work, outcome, context);
    return this.idempotency.keep(work.stream, receiptOf(taskId, outcome), context);
  }

  private async refused(work: TaskStreamCommand, refusal: Refusal, context: CommandContext): Promise<Receipt> {
    if (refusal.constraint === 'idempotency-key') return this.idempotency.replay(context, refusal.recorded);
    return this.idempotency.refuse(work.rejectionFor(refusal), context);
  }
}
