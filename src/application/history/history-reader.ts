import { Injectable } from '@nestjs/common';
import { AGGREGATES } from '../../domain/aggregates.js';
import { roughBytes, STEP_BYTES } from '../../domain/kernel/byte-budget.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused } from '../kernel/application-error.js';
import { ByteRoom, type HeldBytes } from '../kernel/byte-room.js';
import { Clock } from '../kernel/clock.port.js';
import { passes } from '../kernel/event-filter.js';
import {
  type EventFilter,
  EventReads,
  type LogRange,
  type LogSlice,
  type ShownEvent,
} from '../kernel/event-store.port.js';
import { type Cursor, LiveLog } from '../kernel/live-log.port.js';
import { bytesOf, type LogSegment } from '../kernel/log-segment.js';
import { UnreadableStream } from '../kernel/unreadable-stream.js';
import { withHeartbeat } from './heartbeat.js';
import { ReadThrottle } from './read-throttle.js';

/** Which events to read. An event must match every given field. */
export interface HistoryFilter extends Omit<EventFilter, 'stream'> {
  /** Only events of this task. */
  readonly task?: string;
  readonly named?: Named;
}

/** What has a name of its own, and a history under it. */
export interface Named {
  readonly category: keyof typeof ABSENT;
  readonly name: string;
}

const ABSENT = {
  batch: (batch: string) => ({ code: 'BATCH_NOT_FOUND', batch }) as const,
  hold: (hold: string) => ({ code: 'HOLD_NOT_FOUND', hold }) as const,
  failure: (group: string) => ({ code: 'FAILURE_GROUP_NOT_FOUND', group }) as const,
  resource: (resource: string) => ({ code: 'RESOURCE_NOT_FOUND', resource }) as const,
  trigger: (trigger: string) => ({ code: 'TRIGGER_NOT_FOUND', trigger }) as const,
};

/** The refusals of a history of what never existed. */
export const ABSENCES = Object.values(ABSENT).map((absent) => absent('').code);

export const isNamed = (category: string | undefined): category is Named['category'] =>
  category !== undefined && category in ABSENT;

/** Where to begin: after a position, at a time, or a number of milliseconds ago, where 0 means now. */
export type Start = { readonly after: bigint } | { readonly at: Date } | { readonly ago: number };

/**
 * A part of the history, until the next one is asked for. It may be empty, and then only tells how far the log was looked
 * through.
 */
export interface HistoryPage extends LogSlice {
  /** Nothing is missing up to `reached`, and new events follow. */
  readonly caughtUp?: boolean;
}

/** Events per page, which bounds the memory that one reader uses. */
const PAGE = 500;

/**
 * The most bytes of the pages that clients have not taken yet, which take eight times as much memory while they become
 * text. Sixteen clients that read values of 4 MiB at once ended a process with a heap of 512 MB.
 */
const ROOM_BYTES = 4 * STEP_BYTES;
/** A page ends with the event with which it has `STEP_BYTES`. */
const PAGE_BYTES = 2 * STEP_BYTES;

interface Next {
  readonly segments: readonly LogSegment[];
  readonly held: HeldBytes | null;
}

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
  private readonly throttle = new ReadThrottle();
  private readonly room = new ByteRoom(ROOM_BYTES);

  constructor(
    private readonly store: EventReads,
    private readonly live: LiveLog,
    private readonly clock: Clock,
  ) {}

  head(): Promise<bigint> {
    return this.store.head();
  }

  /** Runs a read of the log by somebody else as one of those that go far back, which use half of one connection's time together. */
  inTurn<T>(read: () => Promise<T>): Promise<T> {
    return this.throttle.pass(read);
  }

  /** What is there now from the start on, up to the end. */
  async rangeFrom(start: Start, end: Start | null = null): Promise<LogRange> {
    const [after, upTo] = await Promise.all([
      this.positionOf(start),
      end === null ? this.head() : this.positionOf(end),
    ]);
    return { after, upTo: upTo < after ? after : upTo };
  }

  /** The position after which to begin. */
  async positionOf(start: Start): Promise<bigint> {
    if ('after' in start) return start.after;
    if ('ago' in start && start.ago === 0) return this.store.head();
    const time = 'at' in start ? start.at : new Date(this.clock.now().getTime() - start.ago);
    return this.store.positionBefore(time.toISOString());
  }

  /**
   * Throws `QUEUE_NOT_FOUND`, `TASK_NOT_FOUND` and so on for a name that never existed, because a mistyped one would
   * otherwise look like an empty history. What was deleted still has one.
   */
  async assertThere({ queue, task, named }: Pick<HistoryFilter, 'queue' | 'task' | 'named'>): Promise<void> {
    if (queue !== undefined && !(await this.hasEvents(queueStream(queue))))
      throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
    if (task !== undefined && !(await this.hasEvents(taskStream(task)))) throw new Refused({ code: 'TASK_NOT_FOUND' });
    if (named !== undefined && !(await this.hasEvents(streamOf(named))))
      throw new Refused(ABSENT[named.category](named.name));
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
        const { segments, held } = await this.nextOf(cursor, at, signal);
        at = segments.at(-1)?.position ?? at;
        try {
          yield* used({ events: passing(segments, filter), reached: at });
        } finally {
          held?.giveBack();
        }
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
      const held = await this.room.take(PAGE_BYTES, signal);
      if (!held) return;
      try {
        const slice = await this.scanOnce({ after: at, upTo }, Math.min(left, PAGE), filter);
        held.shrinkTo(slice.events.reduce((bytes, { event }) => bytes + roughBytes(event.data), 0));
        at = slice.reached;
        left -= slice.events.length;
        yield* used(slice);
      } finally {
        held.giveBack();
      }
    }
  }

  /** A read of one stream is short. */
  private scanOnce(range: LogRange, limit: number, filter: EventFilter): Promise<LogSlice> {
    const read = (): Promise<LogSlice> => this.store.scan(range, limit, filter);
    return filter.stream === undefined ? this.throttle.pass(read) : read();
  }

  /** The next segments, with the room that they take until the client has them. Those that must wait are read again. */
  private async nextOf(cursor: Cursor, at: bigint, signal: AbortSignal): Promise<Next> {
    const segments = await cursor.next(at, signal);
    const bytes = bytesOf(segments);
    const held = this.room.tryTake(bytes);
    if (held) return { segments, held };
    return { held: await this.room.take(bytes, signal), segments: await cursor.next(at, signal) };
  }

  private async hasEvents(stream: string): Promise<boolean> {
    try {
      const [events] = await this.store.readStreams([stream]);
      return events!.length > 0;
    } catch (error) {
      if (error instanceof UnreadableStream) return true;
      throw error;
    }
  }
}

/**
 * Yields the page, and empties it when the next one is asked for: generators that wait for the next page still refer to
 * the last one, which would stay in memory as long as they wait.
 */
function* used(page: HistoryPage): Generator<HistoryPage> {
  yield page;
  (page.events as ShownEvent[]).length = 0;
}

const passing = (segments: readonly LogSegment[], filter: EventFilter): readonly ShownEvent[] =>
  segments
    .filter(({ type }) => filter.types?.includes(type) ?? true)
    .flatMap((segment) => segment.shown().filter((event) => passes(event, filter)));

function storeFilter({ task, named, ...filter }: HistoryFilter): EventFilter {
  if (task !== undefined) return { ...filter, stream: taskStream(task) };
  return named === undefined ? filter : { ...filter, stream: streamOf(named) };
}

const streamOf = ({ category, name }: Named): string => AGGREGATES[category].streamOf(name);
