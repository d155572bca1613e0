import { Refused } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import type { IdempotencyKey, RecordedAnswer } from '../kernel/event-store.port.js';

/** What one command of a transaction did. */
export interface StepResult {
  /** Of the task or the queue that it is about: for an enqueue the task that was there, where that answers for it. */
  readonly id: string;
  readonly revision: number;
  /** False where the effect already held and nothing was recorded. */
  readonly recorded: boolean;
}

export interface TransactionReceipt {
  /** Decimal; a query with this `minPosition` sees the effect of every command. */
  readonly position: string;
  /** One per command, in their order. */
  readonly results: readonly StepResult[];
  /** True where an `Idempotency-Key` repeated an earlier answer. */
  readonly replayed: boolean;
}

/** The transaction's key. It remembers every command's result. */
export const idempotencyKeyOf = (
  { idempotencyKey }: CommandContext,
  results: readonly StepResult[],
): IdempotencyKey | undefined =>
  idempotencyKey && {
    ...idempotencyKey,
    item: 0,
    answer: results.map(({ id, revision, recorded }) => [id, revision, recorded]),
  };

/** The answer to the first request under the context's key. Throws where that was another request. */
export function replayOf(recorded: RecordedAnswer, { idempotencyKey }: CommandContext): TransactionReceipt {
  const { fingerprint, position, answer } = recorded;
  if (fingerprint !== idempotencyKey!.fingerprint) throw new Refused({ code: 'IDEMPOTENCY_KEY_REUSED' });
  const results = (answer as readonly [string, number, boolean][]).map(toResult);
  return { position, results, replayed: true };
}

const toResult = ([id, revision, recorded]: [string, number, boolean]): StepResult => ({ id, revision, recorded });
