import type { Receipt } from '../../application/kernel/command-context.js';
import type { Answer } from '../answer.js';

export type ReceiptBody = Omit<Receipt, 'replayed'>;

export const receiptBody = ({ id, position, revision, recorded }: Receipt): ReceiptBody => ({
  id,
  position,
  revision,
  recorded,
});

export const receiptAnswer = (receipt: Receipt, created?: string): Answer<ReceiptBody> => ({
  body: receiptBody(receipt),
  replayed: receipt.replayed,
  ...(created !== undefined && { created }),
});
