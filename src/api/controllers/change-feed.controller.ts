import { Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiTags } from '@nestjs/swagger';
import { type Changed, ChangeFeed } from '../../application/history/change-feed.js';
import { HistoryReader } from '../../application/history/history-reader.js';
import { ReadPositions } from '../../application/kernel/read-positions.port.js';
import type { Category } from '../../domain/aggregates.js';
import { FOLLOWED } from '../../projections/read-models.js';
import { ChangeFeedQuery, ChangeNotice } from '../dto/change-notice.dto.js';
import { StreamEndpoint } from '../http/endpoint.js';
import { givenPosition } from '../operations/given-position.js';
import { Stopping } from '../operations/stopping.js';
import type { Answer } from '../operations/answer.js';
import type { Call } from '../operations/call.js';
import { Scopes } from '../operations/scopes.js';
import { type EventPage, type EventPages, HEARTBEAT_MS, SERVER_SENT_EVENTS } from '../operations/stream-format.js';

/** What pages show comes from these. A notice waits for them, so that whoever reads because of it sees the change. */
const SHOWN: readonly string[] = ['tasks', ...FOLLOWED.map(({ name }) => name)];

/** A model that stands still must not hold back what the others show. */
const PATIENCE_MS = 1_000;

/** One stream for all that a page shows. */
@ApiTags('history')
@ApiExtraModels(ChangeNotice)
@Controller('v1/changes/stream')
export class ChangeFeedController {
  constructor(
    private readonly feed: ChangeFeed,
    private readonly history: HistoryReader,
    private readonly positions: ReadPositions,
    private readonly scopes: Scopes,
    private readonly stopping: Stopping,
  ) {}

  @Get()
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'Start after this position. Overrides `after`.' })
  @StreamEndpoint({
    summary: 'Follow what changes',
    onlyPresent: '`after` chooses where it begins',
    // What the API key is not for is left out.
    queues: () => [],
    description:
      'Server-sent events that name what changed, at most one a second, for a page that reads anew what it shows. When a notice comes, ' +
      'the read models show what it names, unless one is more than a second behind. The first message has only an `id`, the position that the ' +
      'stream starts after; so does one after 15 s without a notice. A client resumes from the last `id`, and is told when anything may have changed meanwhile.',
    query: ChangeFeedQuery,
    stream: SERVER_SENT_EVENTS,
    events: ChangeNotice,
  })
  async followChanges(call: Call<unknown, ChangeFeedQuery>): Promise<Answer<EventPages<ChangeNotice>>> {
    const from = await this.startOf(call);
    const until = this.stopping.or(call.signal);
    return { body: this.notices(from, await this.scopes.coveredBy(call), until), asOf: from };
  }

  private async startOf({ query, caller }: Call<unknown, ChangeFeedQuery>): Promise<bigint> {
    const given = caller.lastEventId ?? query.after;
    if (given === undefined) return this.history.head();
    const pointer = caller.lastEventId === null ? '#/query/after' : '#/headers/last-event-id';
    return givenPosition(this.history, pointer, given);
  }

  private async *notices(
    from: bigint,
    queues: ReadonlySet<string> | null,
    until: AbortSignal,
  ): AsyncGenerator<EventPage<ChangeNotice>> {
    for await (const { events, reached } of this.feed.follow(from, queues, until, HEARTBEAT_MS)) {
      if (events.length > 0) await this.shownAt(reached);
      yield { events: events.map(noticeOf), reached };
    }
  }

  private async shownAt(position: bigint): Promise<void> {
    await Promise.all(SHOWN.map((model) => this.positions.waitFor(model, position, PATIENCE_MS)));
  }
}

const noticeOf = ({ position, everything, queues, tasks, others }: Changed): ChangeNotice => ({
  position: String(position),
  type: 'Changed',
  everything,
  queues: queues && [...queues],
  tasks: tasks && [...tasks],
  others: others && others.map(({ category, name }) => ({ category: category as Category, name })),
});
