import { Injectable } from '@nestjs/common';
import type { Decider, DomainEvent } from '../../domain/kernel/decider.js';
import type { Rejection } from './application-error.js';
import type { CommandContext, Receipt } from './command-context.js';
import { DeciderRunner } from './decider-runner.js';
import type { StreamCommand } from './stream-command.js';
import type { Refusal } from './event-store.port.js';
import { Idempotency } from './idempotency.js';
import { receiptOf } from './receipt.js';

/** A command that is answered with a receipt of the stream's own id. */
export interface AnsweredCommand<S, C> extends StreamCommand<S, C> {
  /** What the caller is told when a constraint refused the command for good. */
  rejectionFor(refusal: Refusal): Rejection;
}

/** Runs one command of a person or a service on one stream, once for its idempotency key. A refusal is thrown as `Refused`. */
@Injectable()
export class StreamCommands {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly idempotency: Idempotency,
  ) {}

  async run<S, C, E extends DomainEvent, R extends Rejection>(
    decider: Decider<S, C, E, R>,
    id: string,
    command: AnsweredCommand<S, C>,
    context: CommandContext,
  ): Promise<Receipt> {
    const earlier = await this.idempotency.earlier(context);
    if (earlier) return earlier;
    const outcome = await this.runner.run(decider, command, context);
    if (outcome.kind === 'rejected') return this.idempotency.refuse(outcome.rejection, context);
    if (outcome.kind !== 'refused') return this.idempotency.keep(command.stream, receiptOf(id, outcome), context);
    if (outcome.constraint === 'idempotency-key') return this.idempotency.replay(context, outcome.recorded);
    return this.idempotency.refuse(command.rejectionFor(outcome), context);
  }
}
