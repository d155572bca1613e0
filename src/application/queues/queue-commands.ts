import { Injectable } from '@nestjs/common';
import type { QueueCommandOf } from '../../domain/queue/queue.commands.js';
import { queueDecider } from '../../domain/queue/queue.decider.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { type Rejection, StreamContentionError } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import type { AppendConditions, Refusal } from '../kernel/event-store.port.js';
import { Idempotency, keyOf } from '../kernel/idempotency.js';
import { receiptOf } from '../kernel/receipt.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { type QueueOrderCommand, QueueStreamCommand } from './queue-stream-command.js';

/** When, by whom and to which queue: what every queue command begins with. */
export type Given = Pick<QueueCommandOf<'PauseQueue'>, 'now' | 'by' | 'queue'>;

/** Runs one command on one queue. A refusal is thrown as `Refused`. */
@Injectable()
export class QueueCommands {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
    private readonly idempotency: Idempotency,
  ) {}

  async run(
    name: string,
    command: (given: Given, state: QueueState) => QueueOrderCommand,
    context: CommandContext,
    conditions: AppendConditions = {},
  ): Promise<Receipt> {
    const earlier = await this.idempotency.earlier(context);
    if (earlier) return earlier;
    const given = { now: this.clock.iso(), by: context.actor, queue: name };
    const work = new QueueStreamCommand({
      name,
      command: (state) => command(given, state),
      conditions: { ...conditions, idempotencyKey: keyOf(context) },
      queues: this.queues,
      unit: context.unit,
    });
    const outcome = await this.runner.run(queueDecider, work, context);
    this.queues.forget(name);
    if (outcome.kind === 'rejected') return this.idempotency.refuse(outcome.rejection, context);
    if (outcome.kind === 'refused') return this.refused(name, outcome, context);
    return this.idempotency.keep(work.stream, receiptOf(name, outcome), context);
  }

  private async refused(name: string, refusal: Refusal, context: CommandContext): Promise<Receipt> {
    if (refusal.constraint === 'idempotency-key') return this.idempotency.replay(context, refusal.recorded);
    return this.idempotency.refuse(rejectionFor(name, refusal), context);
  }
}

function rejectionFor(name: string, refusal: Refusal): Rejection {
  const { constraint } = refusal;
  if (constraint === 'queue-not-empty') return { code: 'QUEUE_NOT_EMPTY', queue: name };
  if (constraint === 'queue-awaited') return { code: 'QUEUE_AWAITED', queue: name, by: refusal.queue };
  if (constraint === 'too-large') return { code: 'EVENT_TOO_LARGE', bytes: refusal.bytes, limit: refusal.limit };
  if (constraint === 'queue-changed') throw new StreamContentionError(queueStream(name));
  throw new Error(`Expected queue '${name}' to be open to the command, but constraint '${constraint}' refused it`);
}
