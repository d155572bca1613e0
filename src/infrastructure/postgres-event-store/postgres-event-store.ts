import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { STEP_BYTES } from '../../domain/kernel/byte-budget.js';
import type { IsoTime } from '../../domain/kernel/json.js';
import { isConnectionError, isReadOnly } from '../../application/kernel/connection-errors.js';
import {
  type AppendItem,
  type AppendOptions,
  type AppendResult,
  type EventFilter,
  EventStore,
  EventStoreUnavailable,
  type LogRange,
  type LogSlice,
  type RecordedEvent,
  type ShownEvent,
  type SubscribeOptions,
} from '../../application/kernel/event-store.port.js';
import {
  eventsOf,
  firstOf,
  type LogSegment,
  segmentsAfter,
  sizeOf,
  mayLackBytes,
} from '../../application/kernel/log-segment.js';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { AppendQueue } from './append-queue.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { passes } from '../../application/kernel/event-filter.js';
import { followLog } from '../notify/follow-log.js';
import { APPEND, appendCall, type AppendParameters } from './append-arguments.js';
import {
  allOf,
  type AppendRow,
  appendResults,
  type FlushResult,
  isOfItsRequest,
  type Refused,
  refusedAsAWhole,
  refusedBesideOthers,
} from './append-results.js';
import {
  isCut,
  isOf,
  type EventRow,
  NO_END,
  positionBeforeQuery,
  segmentsQuery,
  shownStreamEvent,
  streamEvent,
  streamQuery,
} from './event-rows.js';
import { type SegmentRow, StoredSegment } from './stored-segment.js';
import { LogTail, type ReaderPosition } from './log-tail.js';
import { streamKey } from '../database/stream-key.js';
import { wakeAfterCommit } from '../dispatch-index/wake-after-commit.js';

/** Sends statements: the pool, or one connection inside a transaction. */
export interface Queryable {
  query(query: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** An unreachable database is retried for this long before the caller learns that the outcome is unknown. */
const RETRY_MS = 5_000;
const RETRY_PAUSE_MS = 100;

/** An event of the stream with this number, or the number of the first stream that was left out. */
type HistoryRow = { readonly at: number } & (EventRow | { readonly position: null });

/** The most events that one statement looks through, which takes about 10 ms if each was appended alone. */
const SCANNED = 10_000n;

const HISTORIES = { name: 'waybill_histories', text: 'select * from waybill_histories($1, $2)' };

/**
 * Stores events in Postgres, with one statement per append, whatever its size. A lock serialises commits of the log, so
 * positions are in commit order. Concurrent appends are stored together.
 */
@Injectable()
export class PostgresEventStore extends EventStore {
  private readonly queue = new AppendQueue((items) => this.flush(items, false));
  private readonly tail = new LogTail();

  constructor(
    private readonly pool: PostgresPool,
    private readonly wakeUps: WakeUps,
  ) {
    super();
  }

  async append(items: readonly AppendItem[], options: AppendOptions = {}): Promise<readonly AppendResult[]> {
    if (items.length === 0) return [];
    return options.atomic ? allOf(items, await this.flush(items, true)) : this.queue.append(items);
  }

  /**
   * Appends all claims or none within the transaction that picked their tasks, and commits it. A refusal rolls it back.
   * The statements are sent together: from the append on, nobody else writes to the log until the transaction ends.
   */
  async commitWith(connection: Queryable, items: readonly AppendItem[]): Promise<readonly AppendResult[]> {
    const { parameters } = appendCall(items, eventCodec, { atomic: true, picked: true });
    const [appended, committed] = await Promise.allSettled([
      items.length > 0 ? this.appendWithin(connection, items, parameters) : [],
      connection.query({ text: 'commit' }),
    ]);
    const results = valueOf<readonly AppendResult[]>(appended);
    // After a refusal the database accepts no more statements, and the commit becomes a rollback.
    if (!results.every(({ kind }) => kind === 'appended')) return results;
    valueOf(committed);
    this.committed(items, results, parameters);
    return results;
  }

  async readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    const read: (readonly RecordedEvent[])[] = [];
    while (read.length < streams.length) read.push(...(await this.readFirst(streams.slice(read.length))));
    return read;
  }

  override async readFirst(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    const answers: RecordedEvent[][] = streams.map(() => []);
    if (streams.length === 0) return answers;
    const ids = `{${streams.map((stream) => streamKey(stream).id).join(',')}}`;
    const { rows } = await this.send({ ...HISTORIES, values: [ids, STEP_BYTES] });
    for (const row of rows as HistoryRow[]) {
      if (row.position === null) return answers.slice(0, row.at - 1);
      const stream = streams[row.at - 1]!;
      if (isOf(stream, row)) answers[row.at - 1]!.push(streamEvent(row, stream));
    }
    return answers;
  }

  async readAll(after: bigint, limit: number): Promise<readonly RecordedEvent[]> {
    return eventsOf(firstOf(await this.readSegments(after, limit), limit));
  }

  override readSegments(after: bigint, limit: number, needsPrivate = true): Promise<readonly LogSegment[]> {
    return this.segmentsThrough({ after, upTo: NO_END }, limit, {}, needsPrivate);
  }

  async scan({ after, upTo }: LogRange, limit: number, filter: EventFilter): Promise<LogSlice> {
    const { stream } = filter;
    const end = stream !== undefined || upTo - after <= SCANNED ? upTo : after + SCANNED;
    const range = { after, upTo: end };
    if (stream !== undefined) {
      const rows = await despiteDamage(filter, (within) => this.readStreamIn(range, stream, limit, within));
      const found = rows.filter((row) => isOf(stream, row)).map((row) => shownStreamEvent(row, stream));
      return sliceOf(found, isCut(rows, limit) ? BigInt(rows.at(-1)!.position) : end, limit, filter);
    }
    const segments = await despiteDamage(filter, (within) => this.segmentsThrough(range, limit, within));
    const { position } = segments.at(-1) ?? { position: end };
    const mayGoOn = mayLackBytes(segments) || sizeOf(segments) >= limit;
    const read = mayGoOn && position < end ? position : end;
    const found = segments.flatMap((segment) => segment.shown());
    return sliceOf(found, read, limit, filter);
  }

  canReadAfter(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** Positions have no gaps. */
  countBetween(after: bigint, upTo: bigint): number {
    return upTo > after ? Number(upTo - after) : 0;
  }

  async head(): Promise<bigint> {
    const { rows } = await this.send({
      name: 'waybill_head',
      text: 'select coalesce((select position + n - 1 from segments order by position desc limit 1), 0) as head',
    });
    return BigInt((rows[0] as { head: string }).head);
  }

  async positionBefore(time: IsoTime): Promise<bigint> {
    const { rows } = await this.send(positionBeforeQuery(time));
    return BigInt((rows[0] as { position: string }).position);
  }

  subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return followLog((position, limit) => this.readAll(position, limit), this.wakeUps, after, options);
  }

  override async *follow(after: bigint, options: SubscribeOptions): AsyncGenerator<readonly LogSegment[]> {
    const place = { after };
    this.tail.enter(place);
    try {
      const { needsPrivate = always } = options;
      const read = (position: bigint, limit: number) => this.readOn(place, position, limit, needsPrivate());
      yield* followLog(read, this.wakeUps, after, options);
    } finally {
      this.tail.leave(place);
    }
  }

  private async segmentsThrough(
    range: LogRange,
    limit: number,
    filter: EventFilter,
    needsPrivate = true,
  ): Promise<readonly LogSegment[]> {
    const { rows } = await this.send(segmentsQuery(range, limit, filter, { needsPrivate }));
    return segmentsAfter(
      (rows as SegmentRow[]).map((row) => StoredSegment.of(row, needsPrivate)),
      range.after,
    );
  }

  private async readStreamIn(
    range: LogRange,
    stream: string,
    limit: number,
    filter: EventFilter,
  ): Promise<readonly EventRow[]> {
    const { rows } = await this.send(streamQuery(stream, range, limit, filter));
    return rows as EventRow[];
  }

  private readOn(place: ReaderPosition, position: bigint, limit: number, needsPrivate: boolean) {
    place.after = position;
    const segments = this.tail.next(place, limit);
    return segments.length > 0 ? segments : this.readSegments(position, limit, needsPrivate);
  }

  private async appendWithin(
    connection: Queryable,
    items: readonly AppendItem[],
    parameters: AppendParameters,
  ): Promise<readonly AppendResult[]> {
    try {
      const { rows } = await connection.query(APPEND.with(parameters));
      return allOf(items, appendResults(items, rows[0] as AppendRow));
    } catch (error) {
      const refused = refusedAsAWhole(items, error);
      if (refused) return refused;
      throw error;
    }
  }

  /** The ids of the events make a repetition harmless, so after an unknown outcome the same append is sent again. */
  private async flush(given: readonly AppendItem[], atomic: boolean): Promise<readonly FlushResult[]> {
    const { parameters, order } = appendCall(given, eventCodec, { atomic, picked: false });
    const items = order.map((at) => given[at]!);
    const until = performance.now() + RETRY_MS;
    for (;;) {
      try {
        const { rows } = await this.pool.query<AppendRow>(APPEND.with(parameters));
        const results = appendResults(items, rows[0]!);
        this.committed(items, results, parameters, rows[0]!.woken ?? []);
        return asGiven(results, order);
      } catch (error) {
        const refused = atomic && refusedAsAWhole(items, error);
        if (refused) return refused;
        const apart = refusedBesideOthers(error);
        if (apart) return asGiven(await this.flushApart(items, apart), order);
        if (!isConnectionError(error)) throw error;
        if (isReadOnly(error) || performance.now() > until) throw unavailable(error);
        await pause(RETRY_PAUSE_MS);
      }
    }
  }

  /**
   * The refused items apart from the others, so that they leave no hole in the positions. They are decided again, because what refused them may be over by then.
   * Only what their request asked for too much of stays refused.
   */
  private async flushApart(items: readonly AppendItem[], refused: Refused): Promise<readonly FlushResult[]> {
    const results = new Map(refused);
    const isTriedAgain = (at: number): boolean => refused.has(at) && !isOfItsRequest(refused.get(at)!);
    for (const belongs of [(at: number) => !refused.has(at), isTriedAgain]) {
      const places = [...items.keys()].filter(belongs);
      const part = places.map((at) => items[at]!);
      const stored = part.length > 0 ? await this.flush(part, false) : [];
      places.forEach((at, place) => results.set(at, stored[place]!));
    }
    return items.map((_, at) => results.get(at)!);
  }

  /** Wakes those who wait for what was stored, in this process and others. */
  private committed(
    items: readonly AppendItem[],
    results: readonly FlushResult[],
    { segments }: AppendParameters,
    wokenQueues: readonly string[] = [],
  ): void {
    this.tail.add(items, results, segments.length);
    wakeAfterCommit(this.wakeUps, items, results, wokenQueues);
  }

  private async send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await this.pool.query(query);
    } catch (error) {
      throw isConnectionError(error) ? unavailable(error) : error;
    }
  }
}

const always = (): boolean => true;

/** The events that pass out of all up to `end`. */
function sliceOf(found: readonly ShownEvent[], end: bigint, limit: number, filter: EventFilter): LogSlice {
  const events = found.filter((event) => event.position <= end && passes(event, filter)).slice(0, limit);
  return { events, reached: events.length === limit ? events[limit - 1]!.position : end };
}

/** Postgres' error for text that is no JSON. */
const INVALID_TEXT = '22P02';

/** By queue, actor or build, the database looks into the JSON. If some of it is damaged, it leaves that part of the filter out. */
async function despiteDamage<T>(filter: EventFilter, read: (filter: EventFilter) => Promise<T>): Promise<T> {
  try {
    return await read(filter);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== INVALID_TEXT) throw error;
    return read({ ...filter, queue: undefined, actor: undefined, build: undefined });
  }
}

function asGiven(results: readonly FlushResult[], order: readonly number[]): readonly FlushResult[] {
  const given = new Array<FlushResult>(results.length);
  order.forEach((at, place) => (given[at] = results[place]!));
  return given;
}

const unavailable = (cause: Error): EventStoreUnavailable =>
  new EventStoreUnavailable('Expected to reach the event store in Postgres, but it does not answer', { cause });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
