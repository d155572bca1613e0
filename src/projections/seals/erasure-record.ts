import type { Json } from '../../domain/kernel/json.js';
import { approvalIn } from '../../domain/kernel/approval.js';
import { ERASURES_QUEUE } from '../../domain/kernel/erasures-queue.js';
import type { ErasureOutcome, Given } from './erasure-certificate.js';

/** What is read of an event of an order of an erasure. */
export interface OrderEvent {
  readonly type: string;
  readonly data: object;
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly at: string;
}

/** What the history of an order says of its erasure. */
export interface ErasureRecord {
  readonly ordered: Given & { readonly reason: string | null };
  /** The release by somebody else, if there was one. */
  readonly approved: Given | null;
  /** The place in the history of the event that ends it, and what it reports; null if it has not ended well. */
  readonly end: { readonly at: number; readonly result: Json } | null;
}

/** Null if the history is not of an order of an erasure. */
export function erasureRecordOf(history: readonly OrderEvent[]): ErasureRecord | null {
  const [first] = history;
  if (!first || (first.data as { readonly queue?: unknown }).queue !== ERASURES_QUEUE) return null;
  const release = approvalIn(history);
  const at = history.findIndex(({ type }) => type === 'TaskSucceeded');
  const { result = null } = (history[at]?.data ?? {}) as { readonly result?: Json };
  return {
    ordered: { ...givenBy(first), reason: first.reason ?? null },
    approved: release ? givenBy(release) : null,
    end: result === null ? null : { at, result },
  };
}

const givenBy = ({ actor, at }: OrderEvent): Given => ({ by: actor, at });

/** Earlier builds erased no batches, and said nothing of them. */
export const NO_BATCHES: Partial<ErasureOutcome> = { batches: 0 };

/** Without the examples of refusals, which name others. */
export function outcomeIn(result: unknown): ErasureOutcome {
  const { erased, batches, alreadyErased, halves, outbox, refused } = { ...NO_BATCHES, ...(result as ErasureOutcome) };
  return { erased, batches, ...(alreadyErased !== undefined && { alreadyErased }), halves, outbox, refused };
}
