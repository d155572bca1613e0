import { Refused } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import type { IdempotencyKey, RecordedAnswer } from '../kernel/event-store.port.js';
import { type KeptResults, resultsOf, type StepResult } from '../kernel/receipt.js';

export type { StepResult } from '../kernel/receipt.js';

export interface TransactionReceipt {
  /** Decimal; a query with this `minPosition` sees the effect of every command. */
  readonly position: string;
  /** One per command, in their order. */
  readonly results: readonly StepResult[];
  /** True if this repeats the answer to an earlier request with the same `Idempotency-Key`. */
  readonly replayed: boolean;
}

/** The transaction's key, with which the result of every command is stored. */
export const idempotencyKeyOf = (
  { idempotencyKey }: CommandContext,
  results: readonly StepResult[],
): IdempotencyKey | undefined =>
  idempotencyKey && {
    ...idempotencyKey,
    item: 0,
    answer: results.map(({ id, revision, recorded }) => [id, revision, recorded] as const) satisfies KeptResults,
  };

/** The answer to the first request under the context's key. Throws if that was another request. */
export function replayOf(recorded: RecordedAnswer, { idempotencyKey }: CommandContext): TransactionReceipt {
  if (recorded.fingerprint !== idempotencyKey!.fingerprint) throw new Refused({ code: 'IDEMPOTENCY_KEY_REUSED' });
  return { position: recorded.position, results: resultsOf(recorded), replayed: true };
}
