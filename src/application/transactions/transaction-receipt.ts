import { Refused } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import type { IdempotencyKey, RecordedAnswer } from '../kernel/event-store.port.js';

/** What one command of a transaction did. */
export interface StepResult {
  /**
   * The id of the command's task or queue. For an enqueue it may be that of an existing task that stands for the item.
   */
  readonly id: string;
  readonly revision: number;
  /** False if the effect already held and nothing was recorded. */
  readonly recorded: boolean;
}

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
    answer: results.map(({ id, revision, recorded }) => [id, revision, recorded]),
  };

/** The answer to the first request under the context's key. Throws if that was another request. */
export function replayOf(recorded: RecordedAnswer, { idempotencyKey }: CommandContext): TransactionReceipt {
  const { fingerprint, position, answer } = recorded;
  if (fingerprint !== idempotencyKey!.fingerprint) throw new Refused({ code: 'IDEMPOTENCY_KEY_REUSED' });
  const results = (answer as readonly [string, number, boolean][]).map(toResult);
  return { position, results, replayed: true };
}

const toResult = ([id, revision, recorded]: [string, number, boolean]): StepResult => ({ id, revision, recorded });
