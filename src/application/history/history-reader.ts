import { Injectable } from '@nestjs/common';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import { passes } from '../kernel/event-filter.js';
import {
  type EventFilter,
  EventReads,
  type LogRange,
  type LogSlice,
  type RecordedEvent,
} from '../kernel/event-store.port.js';
import { type Cursor, LiveLog } from '../kernel/live-log.port.js';
import type { LogSegment } from '../kernel/log-segment.js';
import { withHeartbeat } from './heartbeat.js';
import { Lane } from './lane.js';

/** Which events to read. An event must match every given field. */
export interface HistoryFilter extends Omit<EventFilter, 'stream'> {
  /** Only events of this task. */
  readonly task?: string;
}

/** Where to begin: after a position, at a time, or a number of milliseconds ago, where 0 means now. */
export type Start = { readonly after: bigint } | { readonly at: Date } | { readonly ago: number };

/** A part of the history. It may be empty, and then only tells how far the log was looked through. */
export interface HistoryPage extends LogSlice {
  /** Nothing is missing up to `reached`, and new events follow. */
  readonly caughtUp?: boolean;
}

/** Events per page, which bounds the memory that one reader uses. */
const PAGE = 500;

/**
 * A stream shows the first event after a silence at once. Under load it takes events 20 times a second: each round costs
 * the process about 50 microseconds for each stream, whatever passes its filter.
 */
const PACE = { restAfter: () => 50 };

/**
 * Reads the log as it was written. Every reader asks for the next page only after it has used the last one. A page may
 * be empty, because it covers a bounded part of the log, whatever passes the filter.
 */
@Injectable()
export class HistoryReader {
  private readonly lane = new Lane();

  constructor(
    private readonly store: EventReads,
    private readonly live: LiveLog,
    private readonly clock: Clock,
  ) {}

  head(): Promise<bigint> {
    return this.store.head();
  }

  /** The position after which to begin. */
  async positionOf(start: Start): Promise<bigint> {
    if ('after' in start) return start.after;
    if ('ago' in start && start.ago === 0) return this.store.head();
    const time = 'at' in start ? start.at : new Date(this.clock.now().getTime() - start.ago);
    return this.store.positionBefore(time.toISOString());
  }

  /**
   * Throws `QUEUE_NOT_FOUND` or `TASK_NOT_FOUND` for a name that never existed, because a mistyped one would otherwise
   * look like an empty history. Deleted queues and tasks still have a history.
   */
  async assertThere({ queue, task }: Pick<HistoryFilter, 'queue' | 'task'>): Promise<void> {
    if (queue !== undefined && !(await this.hasEvents(queueStream(queue))))
      throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
    if (task !== undefined && !(await this.hasEvents(taskStream(task)))) throw new Refused({ code: 'TASK_NOT_FOUND' });
  }

  /** Whether the log can be read from the position on, now or later. */
  canReadAfter(position: bigint): Promise<boolean> {
    return this.store.canReadAfter(position);
  }

  /**
   * Yields at most `limit` events after `after` up to `upTo`, in commit order, page by page. After each `heartbeatMs`
   * without events, an empty page tells the position reached. Throws the reason of `signal` if it aborts.
   */
  async *read(
    range: LogRange,
    limit: number,
    filter: HistoryFilter,
    signal: AbortSignal,
    heartbeatMs: number,
  ): AsyncGenerator<HistoryPage> {
    yield* withHeartbeat(this.scan(range, limit, storeFilter(filter), signal), range.after, heartbeatMs);
    signal.throwIfAborted();
  }

  /**
   * Yields the events after `after`, then new ones until `signal` aborts. An empty page tells the position reached: when
   * the stream has caught up, and after each `heartbeatMs` without events.
   */
  async *follow(
    after: bigint,
    filter: HistoryFilter,
    signal: AbortSignal,
    heartbeatMs: number,
  ): AsyncGenerator<HistoryPage> {
    const cursor = this.live.open(after, PACE);
    try {
      yield* withHeartbeat(this.catchUpAndFollow(cursor, after, storeFilter(filter), signal), after, heartbeatMs);
    } finally {
      await cursor.close();
    }
  }

  private async *catchUpAndFollow(cursor: Cursor, after: bigint, filter: EventFilter, signal: AbortSignal) {
    let at = after;
    while (!signal.aborted) {
      const upTo = await cursor.lackingUpTo(at, signal);
      if (upTo === null) {
        const segments = await cursor.next(at, signal);
        at = segments.at(-1)?.position ?? at;
        yield { events: passing(segments, filter), reached: at };
      } else {
        yield* this.scan({ after: at, upTo }, Infinity, filter, signal);
        if (signal.aborted) return;
        at = upTo;
        yield { events: [], reached: at, caughtUp: true };
      }
    }
  }

  private async *scan({ after, upTo }: LogRange, limit: number, filter: EventFilter, signal: AbortSignal) {
    let [at, left] = [after, limit];
    while (at < upTo && left > 0 && !signal.aborted) {
      const range = { after: at, upTo };
      const read = (): Promise<LogSlice> => this.store.scan(range, Math.min(left, PAGE), filter);
      // A read of one stream is short.
      const slice = await (filter.stream === undefined ? this.lane.pass(read) : read());
      yield slice;
      at = slice.reached;
      left -= slice.events.length;
    }
  }

  private async hasEvents(stream: string): Promise<boolean> {
    const [events] = await this.store.readStreams([stream]);
    return events!.length > 0;
  }
}

const passing = (segments: readonly LogSegment[], filter: EventFilter): readonly RecordedEvent[] =>
  segments
    .filter(({ type }) => filter.types?.includes(type) ?? true)
    .flatMap((segment) => segment.events().filter((event) => passes(event, filter)));

const storeFilter = ({ task, ...filter }: HistoryFilter): EventFilter =>
  task === undefined ? filter : { ...filter, stream: taskStream(task) };
