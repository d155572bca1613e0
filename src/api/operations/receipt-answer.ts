import type { Receipt } from '../../application/kernel/command-context.js';
import type { Answer } from '../answer.js';

export type ReceiptBody = Omit<Receipt, 'replayed'>;

export const receiptBody = ({ id, position, revision, recorded }: Receipt): ReceiptBody => ({
  id,
  position,
  revision,
  recorded,
});

/** What became of an item of a batch. */
type ItemOutcome = { readonly kind: 'done'; readonly receipt: Receipt } | { readonly kind: 'refused' };

/** The highest of a batch's positions; null where every item was refused. */
export function newestPosition(outcomes: readonly ItemOutcome[]): string | null {
  let newest = 0n;
  for (const outcome of outcomes) {
    if (outcome.kind === 'refused') continue;
    const position = BigInt(outcome.receipt.position);
    if (position > newest) newest = position;
  }
  return newest > 0n ? String(newest) : null;
}

export const receiptAnswer = (receipt: Receipt): Answer<ReceiptBody> => ({
  body: receiptBody(receipt),
  replayed: receipt.replayed,
});
