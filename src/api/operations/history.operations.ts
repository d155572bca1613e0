import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { RecordedEvent } from '../../application/kernel/event-store.port.js';
import { type HistoryFilter, HistoryReader, type Start } from '../../application/history/history-reader.js';
import type { EventView } from '../../projections/tasks/tasks.queries.js';
import type { Answer } from '../answer.js';
import type { Caller } from '../caller.js';
import { EventQuery, FollowQuery } from '../dto/query.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { QueryValidator, wholeNumber } from '../input/query-validator.js';
import { sinceOf } from '../input/since.js';

const events = new QueryValidator(EventQuery, { limit: wholeNumber });
const following = new QueryValidator(FollowQuery);

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

  /** The events up to the head as it is now. */
  async readEvents(query: unknown): Promise<Answer<EventPages>> {
    const { limit = Number.MAX_SAFE_INTEGER, ...asked } = events.of(query);
    const filter = filterOf(asked);
    await this.history.assertThere(filter);
    const from = await this.history.positionOf(await this.startOf(asked));
    const head = await this.history.head();
    return { body: views(this.history.read(from, head, limit, filter)), asOf: head };
  }

  /** Events, then new ones, until `signal` aborts or the service stops. The answer is as of the position that they begin after. */
  async followEvents(query: unknown, caller: Caller, signal: AbortSignal): Promise<Answer<EventPages>> {
    const asked = following.of(query);
    const filter = filterOf(asked);
    await this.history.assertThere(filter);
    const from = await this.history.positionOf(await this.startOf(asked, caller.lastEventId));
    const until = AbortSignal.any([signal, this.shutdown.signal]);
    return { body: views(this.history.follow(from, filter, until, HEARTBEAT_MS)), asOf: from };
  }

  /** What a client has seen goes before what it asked for at first. */
  private async startOf({ after, since }: FollowQuery, lastEventId: string | null = null): Promise<Start> {
    if (lastEventId !== null) return { after: await this.positionAt(LAST_EVENT_ID, lastEventId) };
    if (since === undefined) return { after: await this.positionAt('#/query/after', after ?? '0') };
    if (after === undefined) return sinceOf(since);
    throw new InvalidInput([{ pointer: '#/query/since', detail: "Expected 'after' or 'since', but got both" }]);
  }

  /** Throws `InvalidInput` for one that no event can have. */
  private async positionAt(pointer: string, text: string): Promise<bigint> {
    if (/^\d{1,18}$/.test(text) && (await this.history.canReadAfter(BigInt(text)))) return BigInt(text);
    throw new InvalidInput([{ pointer, detail: 'Expected the position of an event' }]);
  }
}

function filterOf({ queue, task, category, type, actor }: FollowQuery): HistoryFilter {
  return {
    ...(queue !== undefined && { queue }),
    ...(task !== undefined && { task }),
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
