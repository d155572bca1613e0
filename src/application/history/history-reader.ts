import { Injectable } from '@nestjs/common';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { Refused } from '../kernel/application-error.js';
import { EventStore, type EventFilter, type RecordedEvent } from '../kernel/event-store.port.js';
import { withHeartbeat } from './heartbeat.js';

/** Events per page: what is held in memory for one reader. */
const PAGE = 500;

/** The record itself, read as it was written. Every reader asks for the next page only when it has used the last. */
@Injectable()
export class HistoryReader {
  constructor(private readonly store: EventStore) {}

  head(): Promise<bigint> {
    return this.store.head();
  }

  /** A deleted queue has its history still. Throws `QUEUE_NOT_FOUND` for one that never was. */
  async assertQueue(queue: string): Promise<void> {
    const [history] = await this.store.readStreams([queueStream(queue)]);
    if (history!.length === 0) throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
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
    filter: EventFilter,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    let last = after;
    let left = limit;
    while (left > 0 && last < head) {
      const page = await this.store.readAll(last, Math.min(left, PAGE), filter);
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
    filter: EventFilter,
    signal: AbortSignal,
    heartbeatMs: number,
  ): AsyncIterable<readonly RecordedEvent[]> {
    return withHeartbeat(this.store.subscribe(after, { signal, filter, batchSize: PAGE }), heartbeatMs);
  }
}
