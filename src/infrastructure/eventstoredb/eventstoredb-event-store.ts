import {
  type AppendItem,
  type AppendOptions,
  type AppendResult,
  type EventFilter,
  EventStore,
  freshHistory,
  type HistoryAtHand,
  type LogRange,
  type LogSlice,
  type RecordedEvent,
  recollected,
  type Recollection,
  type SubscribeOptions,
} from '../../application/kernel/event-store.port.js';
import type { IsoTime } from '../../domain/kernel/json.js';
import { concernsOthers } from '../../domain/aggregates.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { ChainedAppends, levelsIn } from './reservations/chained-appends.js';
import { lastOf } from './reservations/stored-results.js';
import { historyOf, openHistories, recollectionOf } from './reservations/open-history.js';
import type { IndexProgress } from './reservations/index-progress.js';
import { INDEX_MS, ReservationRetry } from './reservations/reservation-retry.js';
import type { ReservationProblem, Reservations } from './reservations/reservations.js';
import type { ReservedTransactions } from './reservations/reserved-transactions.js';
import type { EventStoreDbLog } from './log/eventstoredb-log.js';
import type { Stamp } from './log/stored-events.js';

/** A refusal that is final, unlike `busy`. */
type Refusal = Extract<ReservationProblem, { readonly kind: 'refused' }>;

/**
 * Keeps events in EventStoreDB and constraints in Postgres. An append first reserves in Postgres what it needs, and the
 * reservation ends only after the index has applied its event. The caller gets its answer after the event is stored,
 * and normally after the index has applied it.
 */
export class EventStoreDbEventStore extends EventStore {
  private readonly chained: ChainedAppends;

  constructor(
    private readonly log: EventStoreDbLog,
    private readonly reservations: Reservations,
    private readonly index: IndexProgress,
    private readonly transactions: ReservedTransactions,
    private readonly pool: PostgresPool,
  ) {
    super();
    this.chained = new ChainedAppends(log, reservations, index, (item, recordedAt) => this.store(item, { recordedAt }));
  }

  async append(items: readonly AppendItem[], options: AppendOptions = {}): Promise<readonly AppendResult[]> {
    const asOne = options.atomic && items.length > 1;
    const results = asOne ? await this.transactions.append(items) : await this.appendEach(items);
    const last = lastOf(results);
    if (last > 0n) await this.index.reached(last, INDEX_MS);
    return results;
  }

  override readonly isIndexFollowing = true;

  override async isIndexed(position: bigint, waitMs = 0): Promise<boolean> {
    return this.index.isKnownAt(position) || this.index.reached(position, waitMs);
  }

  readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return this.log.readStreams(streams);
  }

  override readFirst(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return this.log.readFirst(streams);
  }

  /** The histories of open tasks are in Postgres, as far as the index has applied them. */
  override readAtHand(streams: readonly string[]): Promise<readonly HistoryAtHand[]> {
    return this.atHand(streams, historyOf, freshHistory);
  }

  override recall(streams: readonly string[]): Promise<readonly Recollection[]> {
    return this.atHand(streams, recollectionOf, recollected);
  }

  private async atHand<H>(
    streams: readonly string[],
    kept: Parameters<typeof openHistories<H>>[2],
    made: (read: readonly RecordedEvent[]) => H,
  ): Promise<readonly H[]> {
    const { histories, leftOut } = await openHistories(this.pool, streams, kept);
    const first = leftOut === null ? streams : streams.slice(0, streams.indexOf(leftOut));
    const others = first.filter((stream) => !histories.has(stream));
    const read = others.length > 0 ? await this.log.readFirst(others) : [];
    const known = new Map([...histories, ...read.map((one, at) => [others[at]!, made(one)] as const)]);
    const end = first.findIndex((stream) => !known.has(stream));
    return (end < 0 ? first : first.slice(0, end)).map((stream) => known.get(stream)!);
  }

  readAll(after: bigint, limit: number): Promise<readonly RecordedEvent[]> {
    return this.log.readAll(after, limit);
  }

  override readAt(position: bigint): Promise<RecordedEvent> {
    return this.log.readAt(position);
  }

  scan(range: LogRange, limit: number, filter: EventFilter): Promise<LogSlice> {
    return this.log.scan(range, limit, filter);
  }

  override placeBefore(position: bigint, events: number): Promise<bigint> {
    return this.log.placeBefore(position, events);
  }

  head(): Promise<bigint> {
    return this.log.head();
  }

  canReadAfter(position: bigint): Promise<boolean> {
    return this.log.canReadAfter(position);
  }

  /** Null: positions are byte offsets in the store's files, so they do not count events. */
  countBetween(): null {
    return null;
  }

  positionBefore(time: IsoTime): Promise<bigint> {
    return this.log.positionBefore(time);
  }

  subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.log.subscribe(after, options);
  }

  private async appendEach(items: readonly AppendItem[]): Promise<readonly AppendResult[]> {
    const levels = levelsIn(items);
    if (levels.length === 1) return Promise.all(items.map((item) => this.appendOne(item)));
    const results = await this.chained.append(levels.flat());
    return items.map(({ stream }) => results.get(stream)!);
  }

  private async appendOne(item: AppendItem): Promise<AppendResult> {
    if (!concernsOthers(item.stream)) return this.appendAlone(item);
    const reservationRetry = new ReservationRetry(this.log, this.index);
    let isRowWrong = false;
    for (let isFirst = true; ; isFirst = false) {
      const answer = await (isRowWrong ? this.reservations.reserveByStream(item) : this.reservations.reserve(item));
      if (answer.kind === 'reserved')
        return (!isFirst && (await this.foundStored(item))) || this.store(item, { recordedAt: answer.at });
      if (answer.kind === 'moved') {
        const seen = await this.log.seenIn(item);
        if (seen) return seen;
        isRowWrong = true;
        continue;
      }
      const next = await reservationRetry.after(answer.kind);
      if (next === 'believe') return (await this.log.seenIn(item)) ?? (answer as Refusal);
      if (next === 'give up') return this.giveUp(item);
    }
  }

  /** A transaction keeps its idempotency key until the index has applied it, and needs no fence of the stream's own. */
  private async appendAlone(item: AppendItem): Promise<AppendResult> {
    if (item.conditions?.idempotencyKey === undefined) return this.store(item);
    const [result] = await this.transactions.append([item]);
    return result!;
  }

  private async store(item: AppendItem, stamp?: Stamp): Promise<AppendResult> {
    const [result] = await this.log.append([item], stamp);
    if (result!.kind === 'conflict' || result!.kind === 'refused')
      await this.reservations.release([item.events[0]!.id]);
    if (result!.kind === 'duplicate') await this.forgetRepeat(item, result!.position);
    return result!;
  }

  /** Null unless the append that this one waited for was the same. */
  private async foundStored(item: AppendItem): Promise<AppendResult | null> {
    const seen = await this.log.seenIn(item);
    if (seen?.kind !== 'duplicate') return null;
    await this.forgetRepeat(item, seen.position);
    return seen;
  }

  /**
   * The reservation of the first append ended when the index applied it. This releases the one that the repeat made.
   */
  private async forgetRepeat(item: AppendItem, position: bigint): Promise<void> {
    if (await this.index.reached(position, INDEX_MS)) await this.reservations.release([item.events[0]!.id]);
  }

  private async giveUp(item: AppendItem): Promise<AppendResult> {
    await this.reservations.release([item.events[0]!.id]);
    return asExpected(item);
  }
}

/** It is decided again. */
const asExpected = ({ expected }: AppendItem): AppendResult => ({ kind: 'conflict', actual: expected });
