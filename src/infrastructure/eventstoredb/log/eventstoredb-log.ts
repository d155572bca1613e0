import type { OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '../../../application/kernel/clock.port.js';
import type {
  AppendItem,
  AppendResult,
  EventFilter,
  RecordedEvent,
  SubscribeOptions,
} from '../../../application/kernel/event-store.port.js';
import type { IsoTime } from '../../../domain/kernel/json.js';
import { Appender, type AppendTimes } from './appender.js';
import { Connections } from './connections.js';
import { LogReader } from './log-reader.js';
import { eventsToStore, type Stamp } from './stored-events.js';
import { StreamNames } from './stream-names.js';
import { Subscription } from './subscription.js';

export interface EventStoreDbOptions extends Partial<AppendTimes> {
  /** `esdb://host:2113?tls=false`, or `esdb+discover://` for a cluster. */
  readonly url: string;
  /** Before the name of every stream, for a store that others use too. */
  readonly prefix?: string;
  /** The position of the store's naming, which comes before everything of ours. */
  readonly since?: bigint;
  /** Times when events are recorded; the database's, as everywhere. */
  readonly clock: Clock;
  readonly watchMs?: number;
  /** A read that gives nothing for this long is given up. */
  readonly silenceMs?: number;
}

/** On one connection, which appends use, too. */
const READS_AT_ONCE = 100;

/**
 * Events in EventStoreDB, each stream guarded by its revision; what else must hold at an append is not its business. One
 * instance per process: the client rejects every append under way, whoever's, when one connection is lost.
 */
export class EventStoreDbLog implements OnApplicationShutdown {
  private readonly connections: Connections;
  private readonly names: StreamNames;
  private readonly reader: LogReader;
  private readonly appender: Appender;
  private readonly clock: Clock;
  private readonly watchMs: number;

  constructor({
    url,
    prefix = '',
    since = 0n,
    clock,
    attemptMs = 5_000,
    retryMs = 5_000,
    ...times
  }: EventStoreDbOptions) {
    const { watchMs = 5_000, silenceMs = 10_000 } = times;
    this.connections = new Connections(url);
    this.names = new StreamNames(prefix);
    this.reader = new LogReader(this.connections, this.names, silenceMs, since);
    this.appender = new Appender(this.connections, this.reader, this.names, { attemptMs, retryMs });
    this.clock = clock;
    this.watchMs = watchMs;
  }

  /** Each item by itself, all under way together; conditions are not looked at. Rejects where an outcome stayed unknown. */
  async append(items: readonly AppendItem[], stamp: Stamp = { recordedAt: this.clock.iso() }): Promise<AppendResult[]> {
    const outcomes = await Promise.allSettled(
      items.map(async (item) => this.appender.append(item, eventsToStore(item, stamp), stamp.recordedAt)),
    );
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  /** What the stream says of an append that was or was not made; null where the stream stands as the append expects it. */
  seenIn(item: AppendItem): Promise<AppendResult | null> {
    return this.appender.seenIn(item);
  }

  async readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    const names = [...new Set(streams)];
    const read = new Map<string, readonly RecordedEvent[]>();
    for (let at = 0; at < names.length; at += READS_AT_ONCE) {
      const some = names.slice(at, at + READS_AT_ONCE);
      const histories = await Promise.all(some.map((stream) => this.reader.readStream(stream)));
      some.forEach((stream, index) => read.set(stream, histories[index]!));
    }
    return streams.map((stream) => read.get(stream)!);
  }

  /** From a revision on. */
  readStream(stream: string, fromRevision: number): Promise<readonly RecordedEvent[]> {
    return this.reader.readStream(stream, BigInt(fromRevision));
  }

  /** Null where the stream has none. */
  readLast(stream: string): Promise<RecordedEvent | null> {
    return this.reader.readLast(stream);
  }

  readAll(after: bigint, limit: number, filter: EventFilter = {}): Promise<readonly RecordedEvent[]> {
    return this.reader.readAll(after, limit, filter);
  }

  /** Positions at which no event is are those of no record: the server cannot read from there. */
  canReadAfter(position: bigint): Promise<boolean> {
    return this.reader.canStartAfter(position);
  }

  head(): Promise<bigint> {
    return this.reader.head();
  }

  positionBefore(time: IsoTime): Promise<bigint> {
    return this.reader.positionBefore(time);
  }

  subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    const { connections, reader, names, watchMs } = this;
    return new Subscription({ connections, reader, names, watchMs }, after, options).pages();
  }

  /** Ends every call. May be called twice. */
  close(): Promise<void> {
    return this.connections.close();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
