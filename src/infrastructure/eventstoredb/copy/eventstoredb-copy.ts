import { CopyRefused } from './copy-refused.js';
import type { CopyTarget } from './copy-events.js';
import type { StoredEvent } from '../log/stored-event.js';
import { Appender, type AppendTimes } from '../log/appender.js';
import { Connections } from '../log/connections.js';
import { LogReader } from '../log/log-reader.js';
import { dataOf, storedEvent } from '../log/stored-events.js';
import type { StoreAddress } from '../log/store-identity.js';
import { StreamNames } from '../log/stream-names.js';

/** A copy waits up to a minute for a store that is unavailable. */
const TIMES = { attemptMs: 10_000, retryMs: 60_000 };
const SILENCE_MS = 30_000;

/** EventStoreDB as the target of a copy. It reads and writes events as stored, without decoding them. */
export class EventStoreDbCopy implements CopyTarget {
  private readonly connections: Connections;
  private readonly names: StreamNames;
  private readonly reader: LogReader;
  private readonly appender: Appender;

  constructor({ url, prefix, since }: StoreAddress, times: AppendTimes = TIMES) {
    this.connections = new Connections(url);
    this.names = new StreamNames(prefix);
    this.reader = new LogReader(this.connections, this.names, SILENCE_MS, since);
    this.appender = new Appender(this.connections, this.reader, this.names, times);
  }

  async last(): Promise<StoredEvent | null> {
    const head = await this.reader.head();
    if (head === 0n) return null;
    const found = await this.reader.at(head);
    return storedEvent(found, this.names.own(found.event!.streamId)!);
  }

  async append(events: readonly StoredEvent[]): Promise<boolean> {
    const { stream, revision, recordedAt } = events[0]!;
    const item = { stream, expected: revision - 1, events };
    const { kind } = await this.appender.append(item, dataOf(events), recordedAt);
    if (kind === 'refused')
      throw new CopyRefused(
        'every append to be small enough for EventStoreDB',
        `event ${revision} of '${stream}' is not; start the server with a larger --max-append-size`,
      );
    return kind !== 'conflict';
  }

  page(after: bigint, limit: number): Promise<StoredEvent[]> {
    return this.reader.scan(after, limit, (resolved) => {
      const stream = resolved.event ? this.names.own(resolved.event.streamId) : null;
      return stream === null ? null : storedEvent(resolved, stream);
    });
  }

  close(): Promise<void> {
    return this.connections.close();
  }
}
