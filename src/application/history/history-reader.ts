import { Injectable } from '@nestjs/common';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import { EventStore, type EventFilter, type RecordedEvent } from '../kernel/event-store.port.js';
import { withHeartbeat } from './heartbeat.js';

/** What is to be read of the record: all of the given ones hold. */
export interface HistoryFilter extends Omit<EventFilter, 'stream'> {
  /** Only events of this task. */
  readonly task?: string;
}

/** Where to begin: after a position, at a time, or so many milliseconds ago; 0 is now. */
export type Start = { readonly after: bigint } | { readonly at: Date } | { readonly ago: number };

/** Events per page: what is held in memory for one reader. */
const PAGE = 500;

/** The record itself, read as it was written. Every reader asks for the next page only when it has used the last. */
@Injectable()
export class HistoryReader {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  head(): Promise<bigint> {
    return this.store.head();
  }

  /** The position to begin after. */
  async positionOf(start: Start): Promise<bigint> {
    if ('after' in start) return start.after;
    if ('ago' in start && start.ago === 0) return this.store.head();
    const time = 'at' in start ? start.at : new Date(this.clock.now().getTime() - start.ago);
    return this.store.positionBefore(time.toISOString());
  }

  /**
   * What is mistyped would be answered with silence. A deleted queue or task has its history still; throws `QUEUE_NOT_FOUND` and
   * `TASK_NOT_FOUND` for what never was.
   */
  async assertThere({ queue, task }: Pick<HistoryFilter, 'queue' | 'task'>): Promise<void> {
    if (queue !== undefined && !(await this.hasEvents(queueStream(queue))))
      throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
    if (task !== undefined && !(await this.hasEvents(taskStream(task)))) throw new Refused({ code: 'TASK_NOT_FOUND' });
  }

  /** Whether there is anything to be read after the position, now or later. */
  canReadAfter(position: bigint): Promise<boolean> {
    return this.store.canReadAfter(position);
  }

  /** The events after `after` up to `head`, in commit order, at most `limit`, page by page. */
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

  /** The events after `after`, then new ones until `signal` aborts; an empty page after each `heartbeatMs` of silence. */
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

  /** What there is of it comes from its own stream: the log since its first event may be long. */
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
