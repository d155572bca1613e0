import type { AppendItem } from '../../../application/kernel/event-store.port.js';
import { event, type EventsOf } from '../../../domain/kernel/event-declaration.js';

/** STORAGE FORMAT. This store's own events, which readers of the log are not shown. */
export const TRANSACTION_EVENTS = {
  /** All that a transaction appends, in its order: once this is stored, all of it will be. */
  TransactionCommitted: event<{ readonly items: readonly Pick<AppendItem, 'stream' | 'expected' | 'events'>[] }>({
    version: 1,
    effects: [],
  }),
  /** In its place: none of it ever will be. */
  TransactionAbandoned: event<Readonly<Record<string, never>>>({ version: 1, effects: [] }),
};

export type TransactionEvent = EventsOf<typeof TRANSACTION_EVENTS>;
export type TransactionCommitted = Extract<TransactionEvent, { readonly type: 'TransactionCommitted' }>;
export type TransactionAbandoned = Extract<TransactionEvent, { readonly type: 'TransactionAbandoned' }>;

/** The one stream of a transaction, which has one event. */
export const transactionStream = (id: string): string => `transaction-${id}`;
