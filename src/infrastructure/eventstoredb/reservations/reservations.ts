import DataLoader from 'dataloader';
import { isConnectionError } from '../../../application/kernel/connection-errors.js';
import { type AppendItem, EventStoreUnavailable, type Refusal } from '../../../application/kernel/event-store.port.js';
import { type LeaderTerm, TermOver } from '../../../application/kernel/leader-term.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import type { PutOff } from '../../dispatch-index/put-off.js';
import { PutOffReservations } from './put-off-reservations.js';
import { reservationRequest, reservationRequests, type Requests, transactionRequest } from './reservation-request.js';

/**
 * `busy`: an append under way takes the same, and its outcome decides. `moved`: the index knows that its place in the
 * stream is taken, so the stream tells the outcome.
 */
export type ReservationProblem =
  | { readonly kind: 'busy' }
  | { readonly kind: 'moved' }
  | ({ readonly kind: 'refused' } & Refusal);

/** `at`: the database's time of the reservation, which becomes the recorded time of the events. */
export type Reservation = { readonly kind: 'reserved'; readonly at: string } | ReservationProblem;

/** `stale`: the index knows the stream at another revision, which is `actual`. */
export type TransactionProblem = ReservationProblem | { readonly kind: 'stale'; readonly actual: number };

/** A reservation whose append or transaction has not been stored within its time. */
export interface OverdueReservation {
  readonly id: string;
  /**
   * Null for an append without a transaction. Otherwise the other fields are those of one of the transaction's appends.
   */
  readonly transaction: string | null;
  readonly name: string;
  readonly expected: number;
  /** The queue; null if the append concerns its stream only. */
  readonly scope: string | null;
  /** Whether a fence in the place of this append keeps all of its transaction away. */
  readonly fencesAll: boolean;
}

/**
 * Longer than an append is retried for. An append that arrives later finds a fence in its place, so too short a time
 * costs appends, never correctness.
 */
export const RESERVATION_MS = 15_000;
const MAX_ITEMS = 500;

/**
 * What appends take before they are made. Each is reserved independently; requests that arrive together share a
 * statement.
 */
export class Reservations {
  private idle: Promise<unknown> = Promise.resolve();
  private readonly loader = new DataLoader<AppendItem, Reservation | PutOff>((items) => this.reserveAll(items), {
    cache: false,
    maxBatchSize: MAX_ITEMS,
    // Requests that arrive while a statement is in flight go with the next one.
    batchScheduleFn: (run) => void this.idle.then(run),
  });
  private readonly putOff = new PutOffReservations(async (items) =>
    (await this.sendAll(reservationRequests(items), items, false)).map(orBusy),
  );

  constructor(
    private readonly pool: PostgresPool,
    readonly ttlMs = RESERVATION_MS,
  ) {}

  /** The same append may reserve again; while it may be on its way, for two seconds, it is `busy`. */
  async reserve(item: AppendItem): Promise<Reservation> {
    const answer = await this.loader.load(item);
    return answer.kind === 'put-off' ? this.putOff.reserve(item) : answer;
  }

  /** The same for a task whose row in the index contradicts its stream. It is never `moved`, and its append mends the row. */
  async reserveByStream(item: AppendItem): Promise<Reservation> {
    const others = [{ ...reservationRequest(item, 0), byStream: true }];
    const [answer] = await this.sendAll({ plain: [], others }, [item], false);
    return orBusy(answer!);
  }

  /**
   * Each item may build on the new tasks of those before it that are reserved by this call, so it may be stored only after
   * those that it waits for. Returns the answers in the order of the items.
   */
  async reserveInOrder(items: readonly AppendItem[]): Promise<ReadonlyMap<AppendItem, Reservation>> {
    const answers = await this.sendAll({ plain: [], others: items.map(reservationRequest) }, items, true);
    return new Map(items.map((item, at) => [item, orBusy(answers[at]!)]));
  }

  /**
   * Reserves everything that the items of a transaction need, or nothing; each item builds on those before it. Returns
   * the problems by the items' indexes; an empty map means reserved. `fenced`: if they are to be stored at once, the index
   * of the item in whose place a fence keeps all of them away, which is the first of its stream.
   */
  async reserveAsOne(
    transaction: string,
    items: readonly AppendItem[],
    fenced: number | null = null,
  ): Promise<{ readonly at: string; readonly problems: ReadonlyMap<number, TransactionProblem> }> {
    const [answer] = await this.send(
      'waybill_reserve_transaction',
      'select at, problems from waybill_reserve_transaction($1, $2, $3)',
      [transaction, JSON.stringify(transactionRequest(items, fenced)), this.ttlMs],
    );
    const { at, problems } = answer as Answer<TransactionProblem>;
    return { at, problems: byItem(problems) };
  }

  /** Releases appends and transactions that will certainly never be stored. Leaves overdue ones to the cleaner. */
  release(ids: readonly string[]): Promise<void> {
    return this.end(ids, false);
  }

  /** For the cleaner, after it has fenced off what could have been stored late. Throws `TermOver` if another one cleans. */
  releaseOverdue(ids: readonly string[], term?: LeaderTerm): Promise<void> {
    return this.end(ids, true, term);
  }

  async overdue(limit: number): Promise<readonly OverdueReservation[]> {
    const rows = await this.send(
      'waybill_overdue_reservations',
      `select distinct on (coalesce(transaction, id)) id, transaction, name, expected, scope, fences_all as "fencesAll"
       from reservations where deadline < now() order by coalesce(transaction, id), fences_all desc limit $1`,
      [limit],
    );
    return rows as OverdueReservation[];
  }

  private async end(ids: readonly string[], overdue: boolean, term?: LeaderTerm): Promise<void> {
    if (ids.length === 0) return;
    const { role = null, epoch = null } = term ?? {};
    const released = await this.send('waybill_release', RELEASE, [ids, overdue, role, epoch]);
    if (term && released.length === 0) throw new TermOver(term);
  }

  private async reserveAll(items: readonly AppendItem[]): Promise<(Reservation | PutOff)[]> {
    const sent = this.sendAll(reservationRequests(items), items, false);
    this.idle = sent.catch(() => undefined);
    return sent;
  }

  private async sendAll(
    { plain, others }: Requests,
    items: readonly AppendItem[],
    inOrder: boolean,
  ): Promise<(Reservation | PutOff)[]> {
    const [{ at, problems }] = (await this.send(
      'waybill_reserve',
      'select at, problems from waybill_reserve($1, $2, $3, $4)',
      [JSON.stringify(plain), JSON.stringify(others), this.ttlMs, inOrder],
    )) as [Answer<ReservationProblem | PutOff>];
    const found = byItem(problems);
    return items.map((_, index) => found.get(index) ?? { kind: 'reserved', at });
  }

  private async send(name: string, text: string, values: unknown[]): Promise<object[]> {
    try {
      return (await this.pool.query({ name, text, values })).rows;
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      throw new EventStoreUnavailable('Expected to reach the database, but it does not answer', { cause: error });
    }
  }
}

const RELEASE = 'select waybill_release($1, $2) where $3::text is null or waybill_leads($3, $4)';

/** A statement for one request is never put off; if it were, it is tried again. */
const orBusy = (answer: Reservation | PutOff): Reservation => (answer.kind === 'put-off' ? { kind: 'busy' } : answer);

interface Answer<P> {
  readonly at: string;
  readonly problems: readonly (P & { readonly i: number })[];
}

const byItem = <P extends object>(problems: Answer<P>['problems']): ReadonlyMap<number, P> =>
  new Map(problems.map(({ i, ...problem }) => [i, problem as unknown as P]));
