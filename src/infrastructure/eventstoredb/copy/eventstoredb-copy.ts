import { CopyRefused } from './copy-refused.js';
import type { CopyTarget } from './copy-events.js';
import type { StoredEvent } from '../log/stored-event.js';
import { Appender, type AppendTimes } from '../log/appender.js';
import { Connections } from '../log/connections.js';
import { type LogMark, type LogMarks, NO_MARKS } from '../log/log-marks.js';
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

  private constructor(
    { url, prefix, since }: StoreAddress,
    private readonly marks: LogMarks,
    times: AppendTimes,
  ) {
    this.connections = new Connections(url);
    this.names = new StreamNames(prefix);
    this.reader = new LogReader(this.connections, this.names, SILENCE_MS, since, readingAllEvents(marks));
    this.appender = new Appender(this.connections, this.reader, this.names, times);
  }

  /** `marks`: what earlier copies from the same database have noted, if they had the same target. */
  static async open(address: StoreAddress, marks = NO_MARKS, times = TIMES): Promise<EventStoreDbCopy> {
    const copy = new EventStoreDbCopy(address, marks, times);
    try {
      await copy.forgetOtherTargets();
      return copy;
    } catch (error) {
      await copy.close();
      throw error;
    }
  }

  /** DANGER: where nothing was found of one prefix, there may be events of another. */
  private async forgetOtherTargets(): Promise<void> {
    const mark = await this.marks.newest();
    if (!mark?.newest || !(await this.reader.hasOwn(mark.newest))) await this.marks.forget(0n);
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

  /** How the log ends now; null if it is empty. */
  mark(): Promise<LogMark | null> {
    return this.reader.mark();
  }

  close(): Promise<void> {
    return this.connections.close();
  }
}

/** A check of the events reads each of them from the store, and leaves out only what others wrote. */
const readingAllEvents = (marks: LogMarks): LogMarks => ({
  stretches: async (range, most) =>
    (await marks.stretches(range, most)).map(({ after, upTo, id }) => ({ after, upTo, id })),
  add: (stretches) => marks.add(stretches),
  newest: (ms) => marks.newest(ms),
  oldestSince: (ms) => marks.oldestSince(ms),
  forget: (position) => marks.forget(position),
});
