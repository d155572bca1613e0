import { Injectable } from '@nestjs/common';
import { Refused, type Rejection } from './application-error.js';
import type { CommandContext, Receipt } from './command-context.js';
import type { Json } from '../../domain/kernel/json.js';
import type { IdempotencyKey, RecordedAnswer } from './event-store.port.js';
import { IdempotencyKeys } from './idempotency-keys.port.js';
import { type KeptAnswer, type KeptLease, type Replay, replayOf } from './receipt.js';

/**
 * Gives a repeated request the answer to the first one. The key is a condition of the append, so two concurrent
 * requests cannot both record. The lookup before that serves a repeat that would be decided differently by now.
 */
@Injectable()
export class Idempotency {
  constructor(private readonly keys: IdempotencyKeys) {}

  /** The answer to the first request under the context's key; null if this is the first, or has no key. */
  async earlier(context: CommandContext, item = 0): Promise<Receipt | null> {
    return (await this.kept(context, item))?.receipt ?? null;
  }

  /** As `earlier`, with what its operation keeps of the answer. */
  async kept<Kept = KeptAnswer>(context: CommandContext, item = 0): Promise<Replay<Kept> | null> {
    const key = keyOf(context, 'recorded', item);
    const recorded = key ? await this.keys.answerUnder(key) : null;
    return recorded && this.replay<Kept>(context, recorded);
  }

  replay<Kept = KeptAnswer>({ idempotencyKey }: CommandContext, recorded: RecordedAnswer): Replay<Kept> {
    const replay = idempotencyKey && replayOf<Kept>(recorded, idempotencyKey.fingerprint);
    if (!replay) throw new Refused({ code: 'IDEMPOTENCY_KEY_REUSED' });
    return replay;
  }

  /** Carries the command out unless the same request was: also if it would be refused by now before it is decided. */
  async once(context: CommandContext, command: () => Promise<Receipt>): Promise<Receipt> {
    return (await this.earlier(context)) ?? command();
  }

  /**
   * If the same request was carried out meanwhile, returns its answer, because that is why this one is refused.
   * Otherwise throws `Refused`.
   */
  async refuse(rejection: Rejection, context: CommandContext, item = 0): Promise<Receipt> {
    const earlier = await this.earlier(context, item);
    if (earlier) return earlier;
    throw new Refused(rejection);
  }

  /**
   * Stores the answer to a request that recorded nothing, so that a repeat does not do later what was unnecessary now.
   */
  async keep(
    stream: string,
    receipt: Receipt,
    context: CommandContext,
    item = 0,
    answer: KeptAnswer | KeptLease = 'unchanged',
  ): Promise<Receipt> {
    const key = keyOf(context, answer, item);
    if (!key || receipt.recorded) return receipt;
    const { revision, position } = receipt;
    const [earlier] = await this.keys.remember([{ ...key, stream, revision, position }]);
    return earlier ? this.replay(context, earlier).receipt : receipt;
  }
}

/** The context's key in the form that an append or an answer takes. */
export function keyOf(
  { idempotencyKey }: CommandContext,
  answer: KeptAnswer | KeptLease = 'recorded',
  item = 0,
): IdempotencyKey | undefined {
  return idempotencyKey && { ...idempotencyKey, item, answer: answer as Json };
}
