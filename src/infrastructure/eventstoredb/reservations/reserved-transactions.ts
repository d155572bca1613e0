import { newId } from '../../../application/kernel/new-id.js';
import {
  type AppendItem,
  type AppendResult,
  NO_STREAM,
  streamBases,
} from '../../../application/kernel/event-store.port.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import { MOVED } from '../log/appends-at-once.js';
import type { Transaction, TransactionLog } from '../log/transaction-log.js';
import type { IndexProgress } from './index-progress.js';
import { canBeFenced } from './fences.js';
import { ReservationRetry } from './reservation-retry.js';
import type { Reservations, TransactionProblem } from './reservations.js';

/**
 * EventStoreDB accepts one mebibyte per append by default. The difference is room for what it stores around the event.
 */
const MOST_BYTES = 1_040_000;

type Problems = ReadonlyMap<number, TransactionProblem>;

/**
 * Appends to several streams as one. First everything that the appends need is reserved together, which keeps every other
 * append away from their streams. Then they are stored at once, if the server takes that. Otherwise one event commits
 * them, and then they are made.
 */
export class ReservedTransactions {
  constructor(
    private readonly log: EventStoreDbLog,
    private readonly transactions: TransactionLog,
    private readonly reservations: Reservations,
    private readonly index: IndexProgress,
  ) {}

  /**
   * Returns a result per item. Either all items are stored or none is; then items without a problem of their own answer
   * `conflict` at the revision that they expect.
   */
  async append(items: readonly AppendItem[]): Promise<readonly AppendResult[]> {
    const bytes = bytesOf(items);
    if (bytes > MOST_BYTES)
      return items.map(() => ({ kind: 'refused', constraint: 'too-large', bytes, limit: MOST_BYTES }));
    const reservationRetry = new ReservationRetry(this.log, this.index);
    const fenced = await this.fencedOf(items);
    const stored = fenced === null ? null : await this.store(items, reservationRetry, fenced);
    return stored ?? (await this.store(items, reservationRetry, null))!;
  }

  /** The index of the item that fences all of them; null if they cannot be stored at once, or not be fenced then. */
  private async fencedOf(items: readonly AppendItem[]): Promise<number | null> {
    const fenced = items.findIndex((item) => hasEvents(item) && canBeFenced(item.stream));
    return fenced >= 0 && (await this.transactions.takesAtOnce(items.filter(hasEvents))) ? fenced : null;
  }

  /** `fenced`: set to store them at once. Null if the server does not take them so; then nothing is stored or reserved. */
  private async store(
    items: readonly AppendItem[],
    reservationRetry: ReservationRetry,
    fenced: number | null,
  ): Promise<readonly AppendResult[] | null> {
    const id = newId();
    for (;;) {
      const { at, problems } = await this.reservations.reserveAsOne(id, items, fenced);
      const transaction = { id, items: items.filter(hasEvents).map(bare), recordedAt: at };
      if (problems.size === 0)
        return fenced === null ? this.commit(transaction, items) : this.storeAtOnce(transaction, items);
      const next = await reservationRetry.after([...problems.values()].some(isBusy) ? 'busy' : 'refused');
      if (next === 'believe') return this.refuse(items, problems);
      if (next === 'give up') return this.giveUp(id, items);
    }
  }

  /** The streams that it changes are compared by the store itself. */
  private async storeAtOnce(
    transaction: Transaction,
    items: readonly AppendItem[],
  ): Promise<readonly AppendResult[] | null> {
    const { id, recordedAt } = transaction;
    const looks = await this.moved(items.filter((item) => !hasEvents(item)));
    const stored = looks.some((result) => result !== null) ? MOVED : await this.transactions.storeAtOnce(transaction);
    if (stored.kind === 'appended')
      return items.map(({ expected, events }) => ({ ...stored, revision: expected + events.length, recordedAt }));
    const moved = stored.kind === 'moved' ? await this.moved(items) : null;
    await this.reservations.release([id]);
    return moved && items.map((item, index) => moved[index] ?? asExpected(item));
  }

  /** The reservation keeps everybody else away from the streams, so their revisions no longer change. */
  private async commit(transaction: Transaction, items: readonly AppendItem[]): Promise<readonly AppendResult[]> {
    const moved = await this.moved(items);
    if (moved.some((result) => result !== null)) {
      await this.reservations.release([transaction.id]);
      return items.map((item, index) => moved[index] ?? asExpected(item));
    }
    const committed = await this.transactions.commit(transaction);
    if (committed.kind === 'refused') {
      await this.reservations.release([transaction.id]);
      return items.map(() => committed);
    }
    if (committed.kind === 'conflict') return items.map(asExpected);
    const stored = [...(await this.transactions.store(transaction))];
    const { position } = stored.at(-1)!;
    const { recordedAt } = transaction;
    return items.map((item) =>
      hasEvents(item) ? stored.shift()! : { kind: 'appended', position, revision: item.expected, recordedAt },
    );
  }

  /** For each item, null if its stream is at the revision that the items expect. */
  private async moved(items: readonly AppendItem[]): Promise<readonly (AppendResult | null)[]> {
    const bases = streamBases(items);
    const looks = [...bases.keys()].map(async (name) => [name, await this.revisionOf(name)] as const);
    const actuals = new Map(await Promise.all(looks));
    return Promise.all(
      items.map(async (item) => {
        const actual = actuals.get(item.stream)!;
        if (actual === bases.get(item.stream)) return null;
        const seen = hasEvents(item) && actual > item.expected ? await this.log.seenIn(item) : null;
        return seen ?? { kind: 'conflict', actual };
      }),
    );
  }

  private async revisionOf(stream: string): Promise<number> {
    return (await this.log.readLast(stream))?.revision ?? NO_STREAM;
  }

  private async refuse(items: readonly AppendItem[], problems: Problems): Promise<readonly AppendResult[]> {
    const refused = new Set([...problems.keys()].map((index) => items[index]!.stream));
    const moved = await this.moved(items.filter(({ stream }) => refused.has(stream)));
    let at = 0;
    return items.map((item, index) => {
      if (!refused.has(item.stream)) return asExpected(item);
      return moved[at++] ?? refusalIn(problems.get(index), item);
    });
  }

  private async giveUp(id: string, items: readonly AppendItem[]): Promise<readonly AppendResult[]> {
    await this.reservations.release([id]);
    return items.map(asExpected);
  }
}

/** A stream that has not moved, but that the index knows at another revision, has a wrong row. */
function refusalIn(problem: TransactionProblem | undefined, item: AppendItem): AppendResult {
  if (problem?.kind === 'stale') return { kind: 'conflict', actual: problem.actual };
  return problem?.kind === 'refused' ? problem : asExpected(item);
}

const hasEvents = ({ events }: AppendItem): boolean => events.length > 0;

const isBusy = ({ kind }: TransactionProblem): boolean => kind === 'busy';

const asExpected = ({ expected }: AppendItem): AppendResult => ({ kind: 'conflict', actual: expected });

/** An item in the form that the log keeps, without its conditions, which have been checked. */
const bare = ({ stream, expected, events }: AppendItem): Transaction['items'][number] => ({ stream, expected, events });

const bytesOf = (items: readonly AppendItem[]): number => Buffer.byteLength(JSON.stringify(items.map(bare)));
