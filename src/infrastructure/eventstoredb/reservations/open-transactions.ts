import type { TransactionPart } from '../../../application/kernel/event-store.port.js';
import type { TransactionLog } from '../log/transaction-log.js';
import type { Stored } from './apply-request.js';
import { throwUnlessKnown } from './parked-streams.js';

/**
 * More may be open at once, and their first appends are then read again. Those whose last append another process applied
 * stay here until they are the oldest.
 */
const MOST_HELD = 100;

/** The transactions of which the log has shown some appends, but not yet the last one. */
export class OpenTransactions {
  private readonly seen = new Map<string, Map<number, Stored>>();

  constructor(private readonly transactions: TransactionLog) {}

  /**
   * Adds an append of a transaction. Returns all of its appends if this is the last one, else none. Throws
   * `UnreadableStream` if this build does not know one of its events.
   */
  async add({ id, item, of }: TransactionPart, stored: Stored): Promise<readonly Stored[]> {
    const parts = this.partsOf(id).set(item, stored);
    const count = of ?? (await this.transactions.find(id))!.items.length;
    if (item < count - 1) return [];
    this.seen.delete(id);
    // A follower that began in the middle of the transaction has not seen its first appends.
    const whole = parts.size === count ? inOrder(parts) : await this.transactions.read(id);
    for (const append of whole) throwUnlessKnown(append);
    return whole;
  }

  private partsOf(id: string): Map<number, Stored> {
    const parts = this.seen.get(id) ?? new Map<number, Stored>();
    this.seen.set(id, parts);
    if (this.seen.size > MOST_HELD) this.seen.delete(this.seen.keys().next().value!);
    return parts;
  }
}

const inOrder = (parts: ReadonlyMap<number, Stored>): readonly Stored[] =>
  [...parts].sort(([one], [other]) => one - other).map(([, stored]) => stored);
