import { Injectable } from '@nestjs/common';
import { Refused, type Rejection } from './application-error.js';
import type { CommandContext, Receipt } from './command-context.js';
import type { IdempotencyKey, RecordedAnswer } from './event-store.port.js';
import { IdempotencyKeys } from './idempotency-keys.port.js';
import { type KeptAnswer, replayOf } from './receipt.js';

/**
 * Answers a repeated request with what the first one was answered. The key is a guard of the append, so that two at once
 * cannot both record; the look beforehand is for the repeat whose decision would be another by now.
 */
@Injectable()
export class Idempotency {
  constructor(private readonly keys: IdempotencyKeys) {}

  /** The answer to the first request under the context's key; null where this is the first, or has no key. */
  async earlier(context: CommandContext): Promise<Receipt | null> {
    const key = keyOf(context);
    const recorded = key ? await this.keys.answerUnder(key) : null;
    return recorded && this.replay(context, recorded);
  }

  replay({ idempotencyKey }: CommandContext, recorded: RecordedAnswer): Receipt {
    const replay = idempotencyKey && replayOf(recorded, idempotencyKey.fingerprint);
    if (!replay) throw new Refused({ code: 'IDEMPOTENCY_KEY_REUSED' });
    return replay.receipt;
  }

  /** Where the same request was carried out meanwhile, that is why this one cannot be; otherwise throws `Refused`. */
  async refuse(rejection: Rejection, context: CommandContext): Promise<Receipt> {
    const earlier = await this.earlier(context);
    if (earlier) return earlier;
    throw new Refused(rejection);
  }

  /** Keeps the answer of a request that recorded nothing, so that its repeat does not do later what it need not do now. */
  async keep(stream: string, receipt: Receipt, context: CommandContext): Promise<Receipt> {
    const key = keyOf(context, 'unchanged');
    if (!key || receipt.recorded) return receipt;
    const { revision, position } = receipt;
    const [earlier] = await this.keys.remember([{ ...key, stream, revision, position }]);
    return earlier ? this.replay(context, earlier) : receipt;
  }
}

/** The context's key, as an append or an answer takes it. */
export function keyOf(
  { idempotencyKey }: CommandContext,
  answer: KeptAnswer = 'recorded',
  item = 0,
): IdempotencyKey | undefined {
  return idempotencyKey && { ...idempotencyKey, item, answer };
}
