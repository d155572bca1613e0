import { Injectable } from '@nestjs/common';
import type { Aggregate } from '../../domain/kernel/aggregate.js';
import type { Decider, DomainEvent } from '../../domain/kernel/decider.js';
import type { Rejection } from './application-error.js';
import type { CommandContext, Receipt } from './command-context.js';
import { DeciderRunner } from './decider-runner.js';
import type { Refusal } from './event-store.port.js';
import { Idempotency, keyOf } from './idempotency.js';
import { receiptOf } from './receipt.js';
import { rejectionOf } from './rejection-of.js';
import type { Loaded, StreamCommand } from './stream-command.js';

/** A command whose receipt carries the id of its stream. */
export interface AnsweredCommand<S, C> extends StreamCommand<S, C> {
  /** Which part of the request it is, under the request's key. The first one, 0, if absent. */
  readonly item?: number;
  /** What to tell the caller when a condition refused the command finally. */
  rejectionFor(refusal: Refusal): Rejection;
}

/** An aggregate as its row has it, so that its stream, which may be long, need not be read. */
export type Stored<S> = Omit<Loaded<S>, 'fresh'> & { readonly name: string };

interface RunOptions<S> {
  /** Decides by this row. Only if it is out of date is the stream read. Null if there is none. */
  readonly stored?: Stored<S> | null;
  readonly item?: number;
}

/** Runs one command on one stream, once per idempotency key. Throws a refusal as `Refused`. */
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
    const { item } = command;
    const earlier = await this.idempotency.earlier(context, item);
    if (earlier) return earlier;
    const outcome = await this.runner.run(decider, command, context);
    if (outcome.kind === 'rejected') return this.idempotency.refuse(outcome.rejection, context, item);
    if (outcome.kind !== 'refused') return this.idempotency.keep(command.stream, receiptOf(id, outcome), context, item);
    if (outcome.constraint === 'idempotency-key') return this.idempotency.replay(context, outcome.recorded).receipt;
    return this.idempotency.refuse(command.rejectionFor(outcome), context, item);
  }
  /** Runs a command on an aggregate that nothing but its own stream concerns. It is refused only if its events are too large. */
  runOn<Events, S, C, E extends DomainEvent, R extends Rejection>(
    { decider, streamOf }: Aggregate<Events, S, C, E, R>,
    id: string,
    command: C | ((state: S) => C),
    context: CommandContext,
    { stored, item = 0 }: RunOptions<S> = {},
  ): Promise<Receipt> {
    const stream = streamOf(id);
    if (stored) this.runner.remember(decider, stream, stored);
    const conditions = { idempotencyKey: keyOf(context, 'recorded', item) };
    const rejectionFor = (refusal: Refusal): Rejection => rejectionOf(refusal, { stream });
    const work = { stream, command, conditions, load: 'cached', item, rejectionFor } as const;
    return this.run(decider, id, work, context);
  }
}
