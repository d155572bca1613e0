import DataLoader from 'dataloader';
import {
  type AppendItem,
  type Constraint,
  EventStoreUnavailable,
} from '../../../application/kernel/event-store.port.js';
import { isConnectionError } from '../../persistence/connection-errors.js';
import type { PostgresPool } from '../../persistence/postgres-pool.js';
import { reservationRequest } from './reservation-request.js';

/** `busy`: an append under way takes the same, and how it ends decides. */
export type ReservationProblem =
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly constraint: Constraint; readonly holder: string | null };

/** An append that was announced longer ago than one can take. */
export interface OverdueReservation {
  readonly id: string;
  readonly name: string;
  readonly expected: number;
  readonly queue: string;
}

/**
 * Longer than an append is tried for. Whoever is later than this finds its place in the stream taken by a fence, so that a
 * short time costs appends, never correctness.
 */
export const RESERVATION_MS = 15_000;
const MAX_ITEMS = 500;

/** What appends take before they are made. Reserved by itself, each; those that come together share a statement. */
export class Reservations {
  private idle: Promise<unknown> = Promise.resolve();
  private readonly loader = new DataLoader<AppendItem, ReservationProblem | null>((items) => this.reserveAll(items), {
    cache: false,
    maxBatchSize: MAX_ITEMS,
    // What comes while a statement is under way goes with the next one.
    batchScheduleFn: (run) => void this.idle.then(run),
  });

  constructor(
    private readonly pool: PostgresPool,
    readonly ttlMs = RESERVATION_MS,
  ) {}

  /** Null: the append may be made. The same append may reserve again. */
  reserve(item: AppendItem): Promise<ReservationProblem | null> {
    return this.loader.load(item);
  }

  /** Only for appends that are certain never to be stored. */
  async release(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.send('waybill_release', 'select waybill_release($1)', [ids]);
  }

  async overdue(limit: number): Promise<readonly OverdueReservation[]> {
    const rows = await this.send(
      'waybill_overdue_reservations',
      'select id, name, expected, queue from reservations where deadline < now() order by deadline limit $1',
      [limit],
    );
    return rows as OverdueReservation[];
  }

  private async reserveAll(items: readonly AppendItem[]): Promise<(ReservationProblem | null)[]> {
    const requests = items.map(reservationRequest);
    const sent = this.send('waybill_reserve', 'select waybill_reserve($1, $2) as problems', [
      JSON.stringify(requests),
      this.ttlMs,
    ]);
    this.idle = sent.catch(() => undefined);
    const [{ problems }] = (await sent) as [{ problems: (ReservationProblem & { i: number })[] }];
    const byItem = new Map(problems.map(({ i, ...problem }) => [i, problem as ReservationProblem]));
    return items.map((_, index) => byItem.get(index) ?? null);
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
