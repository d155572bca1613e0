import type { AppendItem } from '../../../application/kernel/event-store.port.js';
import { event, type EventsOf } from '../../../domain/kernel/event-declaration.js';

/** STORAGE FORMAT. Events of this store alone. Readers of the log do not see them. */
export const TRANSACTION_EVENTS = {
  /** Holds everything that the transaction appends, in order. Once this event is stored, all of that will be stored. */
  TransactionCommitted: event<{ readonly items: readonly Pick<AppendItem, 'stream' | 'expected' | 'events'>[] }>({
    version: 1,
    effects: [],
  }),
  /** Takes the place of the commit. Nothing of the transaction will be stored. */
  TransactionAbandoned: event<Readonly<Record<string, never>>>({ version: 1, effects: [] }),
};

export type TransactionEvent = EventsOf<typeof TRANSACTION_EVENTS>;
export type TransactionCommitted = Extract<TransactionEvent, { readonly type: 'TransactionCommitted' }>;
export type TransactionAbandoned = Extract<TransactionEvent, { readonly type: 'TransactionAbandoned' }>;

/** The stream of a transaction. It holds one event. */
export const transactionStream = (id: string): string => `transaction-${id}`;
