import type { OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '../../../application/kernel/clock.port.js';
import type {
  AppendItem,
  AppendResult,
  EventFilter,
  LogRange,
  LogSlice,
  RecordedEvent,
  SubscribeOptions,
} from '../../../application/kernel/event-store.port.js';
import { roughBytes, STEP_BYTES } from '../../../domain/kernel/byte-budget.js';
import type { IsoTime } from '../../../domain/kernel/json.js';
import { type EventHalves, type OwnEvent, WHOLE_EVENTS } from './halves/event-halves.js';
import { Appender, type AppendTimes } from './appender.js';
import { AppendsAtOnce, type AtOnce } from './appends-at-once.js';
import type { EventToStore } from './clients/store-client.port.js';
import { Connections } from './connections.js';
import { type LogMark, type LogMarks, NO_MARKS } from './log-marks.js';
import { GroupedAppends } from './grouped-appends.js';
import { LogReader, type RepeatedEvent } from './log-reader.js';
import { eventsToStore, type Stamp } from './stored-events.js';
import { StreamNames } from './stream-names.js';
import { Subscription } from './subscription.js';

export interface EventStoreDbOptions extends Partial<AppendTimes> {
  /** `esdb://host:2113?tls=false` or `kurrentdb://`, with `+discover` for a cluster. The scheme chooses the client. */
  readonly url: string;
  /** Prefix of every stream's name, for a store that other programs use too. */
  readonly prefix?: string;
  /** The position of the event that named the store. All of Waybill's events come after it. */
  readonly since?: bigint;
  /** What is known of the log from before; nothing by default. */
  readonly marks?: LogMarks;
  /** How private halves are stored; within their events by default. */
  readonly halves?: EventHalves;
  /** The clock for recorded times: the database's, as in the rest of Waybill. */
  readonly clock: Clock;
  readonly watchMs?: number;
  /** A read that receives nothing for this long is given up. */
  readonly silenceMs?: number;
  /** Is told of each event that the server sent again. Readers do not get it. */
  readonly onRepeated?: (event: RepeatedEvent) => void;
}

/** Reads share one connection with appends. */
const READS_AT_ONCE = 100;
/** As many of the largest streams fit into memory. Each next round, if there was room, has twice as many. */
const FIRST_READS = 8;

/**
 * Events in EventStoreDB, each stream guarded by its revision. Other conditions of an append are checked elsewhere. Use
 * one instance per process: when the client loses one connection, it rejects every append in progress, on any
 * connection.
 */
export class EventStoreDbLog implements OnApplicationShutdown {
  private readonly connections: Connections;
  private readonly names: StreamNames;
  private readonly reader: LogReader;
  private readonly appender: Appender;
  private readonly appends: GroupedAppends;
  private readonly atOnce: AppendsAtOnce;
  private readonly clock: Clock;
  private readonly halves: EventHalves;
  private readonly watchMs: number;

  constructor({
    url,
    prefix = '',
    since = 0n,
    marks = NO_MARKS,
    clock,
    attemptMs = 5_000,
    retryMs = 5_000,
    onRepeated,
    halves = WHOLE_EVENTS,
    ...times
  }: EventStoreDbOptions) {
    const { watchMs = 5_000, silenceMs = 10_000 } = times;
    this.connections = new Connections(url);
    this.names = new StreamNames(prefix);
    this.reader = new LogReader(this.connections, this.names, silenceMs, since, marks, onRepeated, halves);
    this.appender = new Appender(this.connections, this.reader, this.names, { attemptMs, retryMs });
    this.appends = new GroupedAppends(this.appender, this.connections, this.reader, this.names, attemptMs);
    const own = [this.connections, this.reader, this.names, { attemptMs, retryMs }] as const;
    this.atOnce = new AppendsAtOnce(this.appender, this.appends, ...own, (...given) => this.toStore(...given));
    this.clock = clock;
    this.halves = halves;
    this.watchMs = watchMs;
  }

  /**
   * Appends each item, all concurrently and none because of another, and ignores conditions. Rejects if an outcome stays
   * unknown.
   */
  async append(items: readonly AppendItem[], stamp: Stamp = { recordedAt: this.clock.iso() }): Promise<AppendResult[]> {
    if (items.length === 1) return [await this.appendOne(items[0]!, stamp)];
    const outcomes = await Promise.allSettled(items.map((item) => this.appendOne(item, stamp)));
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  private async appendOne(item: AppendItem, stamp: Stamp): Promise<AppendResult> {
    return this.appends.append(item, await this.toStore(item, stamp), stamp.recordedAt);
  }

  private async toStore(item: AppendItem, stamp: Stamp): Promise<EventToStore[]> {
    return this.halves.close(item, eventsToStore(item, stamp));
  }

  /** Whether the server takes these appends at once, as far as that can be known before. */
  takesAtOnce(items: readonly AppendItem[]): Promise<boolean> {
    return this.atOnce.areTaken(items);
  }

  /**
   * Appends all of the items at once or none, as the transaction with this id, which is that of no earlier call. Only
   * after `takesAtOnce`. Rejects if the outcome stays unknown.
   */
  appendAtOnce(items: readonly AppendItem[], id: string, recordedAt: string): Promise<AtOnce> {
    return this.atOnce.append(items, id, recordedAt);
  }

  /** The events that were appended at once with this one. */
  readAtOnce({ position, transaction }: RecordedEvent): Promise<readonly RecordedEvent[]> {
    return this.reader.around(position, (other) => other.transaction?.id === transaction!.id);
  }

  /**
   * What the stream says about an append that may have been made; null if the stream is at the revision that the append
   * expects.
   */
  seenIn(item: AppendItem): Promise<AppendResult | null> {
    return this.appender.seenIn(item);
  }

  async readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    const names = [...new Set(streams)];
    const read: (readonly RecordedEvent[])[] = [];
    while (read.length < names.length) read.push(...(await this.readFirst(names.slice(read.length))));
    const histories = new Map(names.map((name, at) => [name, read[at]!]));
    return streams.map((stream) => histories.get(stream)!);
  }

  /** The first of the streams: as many as have `STEP_BYTES`, but for those that are read at once. */
  async readFirst(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    const read: (readonly RecordedEvent[])[] = [];
    let [width, bytes] = [FIRST_READS, 0];
    while (read.length < streams.length && bytes < STEP_BYTES) {
      const some = streams.slice(read.length, read.length + width);
      const histories = await Promise.all(some.map((stream) => this.reader.readStream(stream)));
      read.push(...histories);
      bytes += histories.flat().reduce((sum, { event }) => sum + roughBytes(event.data), 0);
      width = Math.min(2 * width, READS_AT_ONCE);
    }
    return read;
  }

  /** Reads the events of a stream from a revision on, `most` of them if given. */
  readStream(stream: string, fromRevision: number, most?: number): Promise<readonly RecordedEvent[]> {
    return most === 0 ? Promise.resolve([]) : this.reader.readStream(stream, BigInt(fromRevision), most);
  }

  /** The newest event of a stream; null if it has none. */
  readLast(stream: string): Promise<RecordedEvent | null> {
    return this.reader.readLast(stream);
  }

  readAll(after: bigint, limit: number): Promise<readonly RecordedEvent[]> {
    return this.reader.readAll(after, limit);
  }

  /** The same, without leaving out where nothing of ours was found: whoever looked may not have got all. */
  readAllAnew(after: bigint, limit: number): Promise<readonly RecordedEvent[]> {
    return this.reader.readAllAnew(after, limit);
  }

  /** The events as they are stored, read as by `readAllAnew`. */
  readStoredAfter(after: bigint, limit: number): Promise<readonly OwnEvent[]> {
    return this.reader.scan(after, limit, (resolved) => this.reader.findStored(resolved), NO_MARKS);
  }

  /** The event at a position as it is stored. Throws if it cannot be read. */
  readStoredAt(position: bigint): Promise<OwnEvent> {
    return this.reader.storedAt(position);
  }

  /** The events of a stream as they are stored. */
  readStoredStream(stream: string): Promise<readonly OwnEvent[]> {
    return this.reader.storedStream(stream);
  }

  readAt(position: bigint): Promise<RecordedEvent> {
    return this.reader.readAt(position);
  }

  scan(range: LogRange, limit: number, filter: EventFilter): Promise<LogSlice> {
    return this.reader.slice(range, limit, filter);
  }

  /** A position between two records cannot be read from. */
  canReadAfter(position: bigint): Promise<boolean> {
    return this.reader.canStartAfter(position);
  }

  placeBefore(position: bigint, records: number): Promise<bigint> {
    return this.reader.recordsBefore(position, records);
  }

  head(): Promise<bigint> {
    return this.reader.head();
  }

  positionBefore(time: IsoTime): Promise<bigint> {
    return this.reader.positionBefore(time);
  }

  /** How the log ends now; null if it is empty. */
  mark(): Promise<LogMark | null> {
    return this.reader.mark();
  }

  subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    const { connections, reader, names, watchMs } = this;
    return new Subscription({ connections, reader, names, watchMs }, after, options).pages();
  }

  /** Ends every call. Safe to call twice. */
  close(): Promise<void> {
    return this.connections.close();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
