import type { TransactionPart } from '../../../application/kernel/event-store.port.js';
import type { TransactionLog } from '../log/transaction-log.js';
import type { Stored } from './apply-request.js';
import type { Gap } from './gap.js';
import { gapOf } from './log-gaps.js';
import { throwUnlessKnown } from './parked-streams.js';

/**
 * More may be open at once, and their first appends are then read again. Those whose last append another process applied
 * stay here until they are the oldest.
 */
const MOST_HELD = 100;

interface Whole {
  readonly appends: readonly Stored[];
  readonly missed: readonly Gap[];
}

/** The transactions of which the log has shown some appends, but not yet the last one. */
export class OpenTransactions {
  private readonly seen = new Map<string, Map<number, Stored>>();
  /** Every append after this position is here, unless it did not come. */
  private since: bigint | null = null;

  constructor(private readonly transactions: TransactionLog) {}

  /** The follower begins after this position. */
  begin(position: bigint): void {
    this.seen.clear();
    this.since = position;
  }

  /**
   * Adds an append of a transaction. Returns all of its appends if this is the last one, else none, and which of them did
   * not come. Throws `UnreadableStream` if this build does not know one of its events.
   */
  async add({ id, item, of }: TransactionPart, stored: Stored): Promise<Whole> {
    const parts = this.partsOf(id).set(item, stored);
    const count = of ?? (await this.transactions.find(id))!.items.length;
    if (item < count - 1) return { appends: [], missed: [] };
    this.seen.delete(id);
    // A follower that began in the middle of the transaction has not seen its first appends.
    const appends = parts.size === count ? inOrder(parts) : await this.transactions.read(stored.at(-1)!);
    for (const append of appends) throwUnlessKnown(append);
    const missed = appends.filter((append, at) => !parts.has(at) && this.hasPassed(append));
    return { appends, missed: missed.map(gapOf) };
  }

  private partsOf(id: string): Map<number, Stored> {
    const parts = this.seen.get(id) ?? new Map<number, Stored>();
    this.seen.set(id, parts);
    if (this.seen.size > MOST_HELD) this.drop(...this.seen.entries().next().value!);
    return parts;
  }

  private drop(id: string, parts: ReadonlyMap<number, Stored>): void {
    this.seen.delete(id);
    for (const append of parts.values()) if (this.hasPassed(append)) this.since = append.at(-1)!.position;
  }

  private hasPassed(append: Stored): boolean {
    return this.since !== null && append[0]!.position > this.since;
  }
}

const inOrder = (parts: ReadonlyMap<number, Stored>): readonly Stored[] =>
  [...parts].sort(([one], [other]) => one - other).map(([, stored]) => stored);
