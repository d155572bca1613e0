import { Injectable } from '@nestjs/common';
import { Refused } from './application-error.js';
import type { CommandContext, Receipt } from './command-context.js';
import { IdempotencyKeys } from './idempotency-keys.port.js';
import { replayOf } from './receipt.js';

/**
 * Answers a repeated request with what the first one was answered. The key is a guard of the append, so that two at once
 * cannot both record; the look beforehand is for the repeat whose decision would be another by now.
 */
@Injectable()
export class Idempotency {
  constructor(private readonly keys: IdempotencyKeys) {}

  /** The answer to the first request under the context's key; null where this is the first, or has no key. */
  async earlier(context: CommandContext): Promise<Receipt | null> {
    if (!context.idempotencyKey) return null;
    const holder = await this.keys.holderOf(context.idempotencyKey.key);
    return holder === null ? null : this.replay(context, holder);
  }

  replay({ idempotencyKey }: CommandContext, holder: string | null): Receipt {
    const receipt = idempotencyKey && holder !== null ? replayOf(holder, idempotencyKey.fingerprint) : null;
    if (!receipt) throw new Refused({ code: 'IDEMPOTENCY_KEY_REUSED' });
    return receipt;
  }
}
