import type { ShownEvent } from '../../application/kernel/event-store.port.js';

export type Part = Pick<ShownEvent, 'position' | 'transaction'>;

/**
 * The position of the last of the events, or of the last one before a transaction of which they have a part, but not the last
 * append. `events`: in the order of the log, all after the position `from`, which stands for the one before them.
 */
export function outsideTransactions(events: readonly Part[], from: bigint): bigint {
  const first = events.findIndex(({ transaction }) => transaction?.of !== undefined && !isWhole(transaction, events));
  if (first < 0) return events.at(-1)?.position ?? from;
  return outsideTransactions(events.slice(0, first), from);
}

/** The ids of the transactions of which the events have a part, but not the last append. */
export const openIn = (events: readonly Part[]): readonly string[] => [
  ...new Set(
    events.flatMap(({ transaction }) =>
      transaction?.of !== undefined && !isWhole(transaction, events) ? transaction.id : [],
    ),
  ),
];

const isWhole = ({ id, of }: NonNullable<Part['transaction']>, events: readonly Part[]): boolean =>
  events.some(({ transaction }) => transaction?.id === id && transaction.item === of! - 1);
