import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { EventFilter, RecordedEvent } from '../../application/kernel/event-store.port.js';
import { HistoryReader } from '../../application/history/history-reader.js';
import type { EventView } from '../../projections/tasks/tasks.queries.js';
import type { Answer } from '../answer.js';
import type { Caller } from '../caller.js';
import { EventQuery, FollowQuery } from '../dto/query.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { QueryShape, wholeNumber } from '../input/query-shape.js';

const events = new QueryShape(EventQuery, { limit: wholeNumber });
const following = new QueryShape(FollowQuery);

/** Pages of events; an empty one is a sign of life. The next page is fetched when the last one was used. */
export type EventPages = AsyncIterable<readonly EventView[]>;

const HEARTBEAT_MS = 15_000;
const LAST_EVENT_ID = '#/headers/last-event-id';

/** The record as auditors read and follow it, for every transport. Arguments are as they came in: they are checked here. */
@Injectable()
export class HistoryOperations implements BeforeApplicationShutdown {
  private readonly shutdown = new AbortController();

  constructor(private readonly history: HistoryReader) {}

  /** Streams that follow the log end now: they would never end by themselves. */
  beforeApplicationShutdown(): void {
    this.shutdown.abort();
  }

  /** The events from a position to the head as it is now. */
  async readEvents(query: unknown): Promise<Answer<EventPages>> {
    const { after = '0', limit = Number.MAX_SAFE_INTEGER, ...filter } = events.of(query);
    await this.assertQueue(filter);
    const from = await this.positionAt('#/query/after', after);
    const head = await this.history.head();
    return { body: views(this.history.read(from, head, limit, filterOf(filter))), asOf: head };
  }

  /** The events from a position on, then new ones, until `signal` aborts or the service stops. */
  async followEvents(query: unknown, caller: Caller, signal: AbortSignal): Promise<Answer<EventPages>> {
    const { after = '0', ...filter } = following.of(query);
    await this.assertQueue(filter);
    const { lastEventId } = caller;
    const from = await this.positionAt(lastEventId === null ? '#/query/after' : LAST_EVENT_ID, lastEventId ?? after);
    const until = AbortSignal.any([signal, this.shutdown.signal]);
    return { body: views(this.history.follow(from, filterOf(filter), until, HEARTBEAT_MS)) };
  }

  /** Throws `InvalidInput` for one that no event can have. */
  private async positionAt(pointer: string, text: string): Promise<bigint> {
    if (/^\d{1,18}$/.test(text) && (await this.history.canReadAfter(BigInt(text)))) return BigInt(text);
    throw new InvalidInput([{ pointer, detail: 'Expected the position of an event' }]);
  }

  /** A name that is mistyped would be answered with silence, and with an endless one where it is followed. */
  private async assertQueue({ queue }: FollowQuery): Promise<void> {
    if (queue !== undefined) await this.history.assertQueue(queue);
  }
}

function filterOf({ queue, category, type, actor }: FollowQuery): EventFilter {
  return {
    ...(queue !== undefined && { queue }),
    ...(actor !== undefined && { actor }),
    ...(category !== undefined && { categories: [category] }),
    ...(type !== undefined && { types: [type] }),
  };
}

async function* views(pages: AsyncIterable<readonly RecordedEvent[]>): AsyncGenerator<readonly EventView[]> {
  for await (const page of pages) yield page.map(viewOf);
}

const viewOf = ({ position, stream, revision, id, recordedAt, event, envelope }: RecordedEvent): EventView => ({
  position: String(position),
  stream,
  revision,
  id,
  type: event.type,
  version: event.version,
  recordedAt,
  data: event.data,
  envelope,
});
