import { Injectable } from '@nestjs/common';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import { EventStore, type EventFilter, type RecordedEvent } from '../kernel/event-store.port.js';
import { withHeartbeat } from './heartbeat.js';

/** Which events to read. An event must match every given field. */
export interface HistoryFilter extends Omit<EventFilter, 'stream'> {
  /** Only events of this task. */
  readonly task?: string;
}

/** Where to begin: after a position, at a time, or a number of milliseconds ago, where 0 means now. */
export type Start = { readonly after: bigint } | { readonly at: Date } | { readonly ago: number };

/** Events per page, which bounds the memory that one reader uses. */
const PAGE = 500;

/** Reads the log as it was written. Every reader asks for the next page only after it has used the last one. */
@Injectable()
export class HistoryReader {
  constructor(
    private readonly store: EventStore,
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

  /** Yields at most `limit` events after `after` up to `head`, in commit order, page by page. */
  async *read(
    after: bigint,
    head: bigint,
    limit: number,
    filter: HistoryFilter,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let last = after;
    let left = limit;
    while (left > 0 && last < head) {
      const page = await this.store.readAll(last, Math.min(left, PAGE), storeFilter(filter));
      const upToHead = page.filter(({ position }) => position <= head);
      if (upToHead.length > 0) yield upToHead;
      if (upToHead.length < page.length || page.length < Math.min(left, PAGE)) return;
      left -= page.length;
      last = page[page.length - 1]!.position;
    }
  }

  /**
   * Yields the events after `after`, then new ones until `signal` aborts, and an empty page after each `heartbeatMs` of
   * silence.
   */
  follow(
    after: bigint,
    filter: HistoryFilter,
    signal: AbortSignal,
    heartbeatMs: number,
  ): AsyncIterable<readonly RecordedEvent[]> {
    const pages =
      filter.task === undefined ? this.subscribe(after, filter, signal) : this.followTask(after, filter, signal);
    return withHeartbeat(pages, heartbeatMs);
  }

  /** Reads a task's existing events from its own stream, because the log since its first event may be long. */
  private async *followTask(after: bigint, filter: HistoryFilter, signal: AbortSignal) {
    const head = await this.store.head();
    yield* this.read(after, head, Number.MAX_SAFE_INTEGER, filter);
    yield* this.subscribe(head > after ? head : after, filter, signal);
  }

  private subscribe(after: bigint, filter: HistoryFilter, signal: AbortSignal) {
    return this.store.subscribe(after, { signal, filter: storeFilter(filter), batchSize: PAGE });
  }

  private async hasEvents(stream: string): Promise<boolean> {
    const [events] = await this.store.readStreams([stream]);
    return events!.length > 0;
  }
}

const storeFilter = ({ task, ...filter }: HistoryFilter): EventFilter =>
  task === undefined ? filter : { ...filter, stream: taskStream(task) };
