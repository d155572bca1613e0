import { Injectable } from '@nestjs/common';
import type { QueueCommand, QueueCommandOf } from '../../domain/queue/queue.commands.js';
import { queueDecider } from '../../domain/queue/queue.decider.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { DeciderRunner, type Refusal } from '../kernel/decider-runner.js';
import type { Guards } from '../kernel/event-store.port.js';
import { Idempotency } from '../kernel/idempotency.js';
import { receiptOf } from '../kernel/receipt.js';
import { QueueDirectory } from '../kernel/queue-directory.js';

/** When, by whom and to which queue: what every queue command begins with. */
export type Given = Pick<QueueCommandOf<'ResumeQueue'>, 'now' | 'by' | 'queue'>;

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
    command: (given: Given, state: QueueState) => QueueCommand,
    context: CommandContext,
    guards: Guards = {},
  ): Promise<Receipt> {
    const earlier = await this.idempotency.earlier(context);
    if (earlier) return earlier;
    const given = { now: this.clock.iso(), by: context.actor, queue: name };
    const work = {
      stream: queueStream(name),
      command: (state: QueueState) => command(given, state),
      guards: { ...guards, idempotencyKey: context.idempotencyKey },
      load: 'fresh' as const,
    };
    const outcome = await this.runner.run(queueDecider, work, context);
    this.queues.forget(name);
    if (outcome.kind === 'rejected') throw new Refused(outcome.rejection);
    return outcome.kind === 'refused' ? this.refused(name, outcome, context) : receiptOf(name, outcome);
  }

  private refused(name: string, { constraint, holder }: Refusal, context: CommandContext): Receipt {
    if (constraint === 'idempotency-key') return this.idempotency.replay(context, holder);
    if (constraint === 'queue-not-empty') throw new Refused({ code: 'QUEUE_NOT_EMPTY', queue: name });
    throw new Error(`Expected queue '${name}' to be open to the command, but constraint '${constraint}' refused it`);
  }
}
