import type { AppendItem } from '../../application/kernel/event-store.port.js';

/** STORAGE FORMAT. All that a transaction appends, in its order: once this is stored, all of it will be. */
export interface TransactionCommitted {
  readonly type: 'TransactionCommitted';
  readonly version: 1;
  readonly data: { readonly items: readonly Pick<AppendItem, 'stream' | 'expected' | 'events'>[] };
}

/** STORAGE FORMAT. In its place: none of it ever will be. */
export interface TransactionAbandoned {
  readonly type: 'TransactionAbandoned';
  readonly version: 1;
  readonly data: Readonly<Record<string, never>>;
}

export type TransactionEvent = TransactionCommitted | TransactionAbandoned;
export type TransactionEventType = TransactionEvent['type'];

/** The one stream of a transaction, which has one event. It is not among those that readers of the log are shown. */
export const transactionStream = (id: string): string => `transaction-${id}`;
