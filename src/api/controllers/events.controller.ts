import { Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiTags } from '@nestjs/swagger';
import {
  type HistoryFilter,
  type HistoryPage,
  HistoryReader,
  isNamed,
  type Named,
  type Start,
} from '../../application/history/history-reader.js';
import type { ShownEvent } from '../../application/kernel/event-store.port.js';
import { publicHalf } from '../../domain/public-half.js';
import type { EventView as View } from '../../projections/tasks/tasks.queries.js';
import { givenPosition } from '../operations/given-position.js';
import { Stopping } from '../operations/stopping.js';
import type { Answer } from '../operations/answer.js';
import { eventViewOf } from '../operations/event-view.js';
import { EventView } from '../dto/event.dto.js';
import { EventQuery, FollowQuery } from '../dto/query.dto.js';
import { StreamEndpoint } from '../http/endpoint.js';
import { InvalidInput } from '../input/invalid-input.js';
import { sinceOf } from '../input/since.js';
import type { Call } from '../operations/call.js';
import {
  type EventPage,
  type EventPages,
  HEARTBEAT_MS,
  NDJSON,
  SERVER_SENT_EVENTS,
} from '../operations/stream-format.js';
import type { Naming } from '../operations/operation.js';
import { renameIn } from '../operations/queue-ids.js';

const LAST_EVENT_ID = '#/headers/last-event-id';

/** The history as streams. The next events are read once the client has taken the last ones. */
@ApiTags('history')
@ApiExtraModels(EventView)
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly history: HistoryReader,
    private readonly stopping: Stopping,
  ) {}

  @Get()
  @StreamEndpoint({
    summary: 'Read events',
    onlyPresent: '`after`, `since` and `until` choose its part of the log',
    queues: ({ query }: Call<unknown, EventQuery>) => [query.queue],
    names: ({ query }: Call<unknown, EventQuery>) => [taskIn(query)],
    renameQueues: ({ query }: Call<unknown, EventQuery>, name) => renameIn([query], name),
    description:
      'One JSON document per line, in commit order, up to the position in `X-As-Of-Position`. After 15 s without an ' +
      'event, a line with only a `position` tells how far the log was read, from which a client can continue. ' +
      'An event that is damaged is `unreadable`, and the others follow it.',
    query: EventQuery,
    stream: NDJSON,
    events: EventView,
  })
  async readEvents({ query, signal }: Call<unknown, EventQuery>): Promise<Answer<EventPages>> {
    const { limit = Number.MAX_SAFE_INTEGER, until, ...asked } = query;
    const filter = filterOf(asked);
    await this.history.assertThere(filter);
    const range = await this.history.rangeFrom(await this.startOf(asked), until === undefined ? null : sinceOf(until));
    const pages = this.history.read(range, limit, filter, signal, HEARTBEAT_MS);
    return { body: views(pages, query.half), asOf: range.upTo };
  }

  /**
   * Sends existing events, then new ones, until the client leaves or the service stops. The answer is as of the
   * position after which the stream begins.
   */
  @Get('stream')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Start after this position. Overrides `after` and `since`.',
  })
  @StreamEndpoint({
    summary: 'Follow the events',
    onlyPresent: '`after` and `since` choose its part of the log',
    queues: ({ query }: Call<unknown, FollowQuery>) => [query.queue],
    names: ({ query }: Call<unknown, FollowQuery>) => [taskIn(query)],
    renameQueues: ({ query }: Call<unknown, FollowQuery>, name) => renameIn([query], name),
    description:
      'Server-sent events: `id` is the position, `event` the type, and `data` the event. The first message has ' +
      'only an `id`, the position that the stream starts after, as in `X-As-Of-Position`. So does a message when the ' +
      'stream has caught up, and after 15 s without an event: nothing before its position is missing, so a client ' +
      'can resume from there.',
    query: FollowQuery,
    stream: SERVER_SENT_EVENTS,
    events: EventView,
  })
  async followEvents(call: Call<unknown, FollowQuery>): Promise<Answer<EventPages>> {
    const { query, caller, signal } = call;
    const filter = filterOf(query);
    await this.history.assertThere(filter);
    const from = await this.history.positionOf(await this.startOf(query, caller.lastEventId));
    const until = this.stopping.or(signal);
    return { body: views(this.history.follow(from, filter, until, HEARTBEAT_MS), query.half), asOf: from };
  }

  /**
   * `Last-Event-ID` overrides the parameters of the first request, because the client has already seen events up to
   * there.
   */
  private async startOf({ after, since }: FollowQuery, lastEventId: string | null = null): Promise<Start> {
    if (lastEventId !== null) return { after: await givenPosition(this.history, LAST_EVENT_ID, lastEventId) };
    if (since === undefined) return { after: await givenPosition(this.history, '#/query/after', after ?? '0') };
    if (after === undefined) return sinceOf(since);
    throw new InvalidInput([{ pointer: '#/query/since', detail: "Expected 'after' or 'since', but got both" }]);
  }
}

/** The part of the query that names a task. Its `after` is a position. */
const taskIn = (query: FollowQuery): Naming => ({
  get task() {
    return query.task;
  },
  set task(id) {
    if (id !== undefined) query.task = id;
  },
});

function filterOf({ queue, task, category, name, type, actor, policyVersion }: FollowQuery): HistoryFilter {
  return {
    ...(name !== undefined && { named: namedBy(name, category, task) }),
    ...(queue !== undefined && { queue }),
    ...(task !== undefined && { task }),
    ...(actor !== undefined && { actor }),
    ...(policyVersion !== undefined && { policyVersion }),
    ...(category !== undefined && { categories: [category] }),
    ...(type !== undefined && { types: [type] }),
  };
}

/** Throws `InvalidInput` if the category has no names, or a task is asked for, too. */
function namedBy(name: string, category: string | undefined, task: string | undefined): Named {
  if (task === undefined && isNamed(category)) return { category, name };
  const detail =
    task === undefined
      ? "Expected the category 'batch', 'hold', 'resource' or 'trigger' beside a name, but got " + (category ?? 'none')
      : "Expected 'task' or 'name', but got both";
  throw new InvalidInput([{ pointer: '#/query/name', detail }]);
}

async function* views(pages: AsyncIterable<HistoryPage>, half: FollowQuery['half']): AsyncGenerator<EventPage> {
  const shownOf = half === 'public' ? publicView : eventViewOf;
  for await (const { events, reached } of pages) {
    const shown = events.map(shownOf);
    yield { events: shown, reached };
    // As the reader does.
    shown.length = 0;
  }
}

const publicView = (shown: ShownEvent): View => eventViewOf({ ...shown, event: publicHalf(shown.event) });
