import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { type ChangesSummary, ListChanges, SumChanges } from '../../projections/changes/changes.queries.js';
import { decodeCursor, encodeCursor } from '../../projections/kernel/cursor.js';
import type { TwoMoments } from '../../projections/kernel/moments.js';
import type { Moment } from '../../projections/kernel/past.port.js';
import { ChangesPage, ChangesQuery, ChangesSum, ChangesSumQuery } from '../dto/change.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import { POSITION } from '../input/since.js';
import type { Call } from '../operations/call.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { PastReads } from '../operations/past-reads.js';
import { renameIn } from '../operations/queue-ids.js';
import { Scopes } from '../operations/scopes.js';

/** Without one, all that the API key is for. */
const namedQueues = ({ query: { queue } }: Call<unknown, ChangesSumQuery>) => (queue === undefined ? [] : [queue]);

/** What differs between two moments. */
@ApiTags('history')
@Controller('v1/changes')
export class ChangesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly past: PastReads,
    private readonly scopes: Scopes,
  ) {}

  @Get()
  @QueryEndpoint({
    summary: 'List what changed between two moments',
    onlyPresent: '`since` and `until` choose its two moments',
    queues: namedQueues,
    // Of one queue, the list has nothing of others anyway.
    names: ({ query }: Call<unknown, ChangesQuery>) => (query.queue === undefined ? [query] : []),
    renameQueues: ({ query }: Call<unknown, ChangesQuery>, name) => renameIn([query], name),
    description:
      'The tasks whose state, step, error class or priority at the second moment is not what it was at the first: what came of each, not each ' +
      'step on the way. What changed from A to B, and then from B to C, is together what changed from A to C. What is outside of the queues of the API key is left out and counted.',
    query: ChangesQuery,
    answers: ChangesPage,
    refuses: ['HISTORY_NOT_READY'],
  })
  async listChanges(call: Call<unknown, ChangesQuery>) {
    const { since, until, queue, batch, cursor, limit = PAGE } = call.query;
    const list = { list: 'changes', since, until, queue, batch };
    const place = cursor === undefined ? null : await placeIn(list, cursor).catch(asInvalidInput);
    return this.past.between({ since, until }, place && place.moments, async (moments) => {
      const between = { from: moments.since.position, to: moments.until.position };
      const after = place ? place.reached : between.from;
      const { items: all, reached } = await this.queries.execute(
        new ListChanges(between, { queue, batch }, after, limit),
      );
      const items = await this.visible(all, call);
      return {
        items,
        hidden: all.length - items.length,
        nextCursor: reached === null ? null : cursorAt(list, moments, reached),
      };
    });
  }

  @Get('summary')
  @QueryEndpoint({
    summary: 'Count what changed between two moments',
    onlyPresent: '`since` and `until` choose its two moments',
    queues: namedQueues,
    renameQueues: ({ query }: Call<unknown, ChangesSumQuery>, name) => renameIn([query], name),
    description:
      'How many tasks went from which state to which, and with `queue` how many were in each state at both moments. What is outside of the queues of the API key is left out and counted.',
    query: ChangesSumQuery,
    answers: ChangesSum,
    refuses: ['HISTORY_NOT_READY', 'READ_TOO_LONG'],
  })
  sumChanges(call: Call<unknown, ChangesSumQuery>) {
    const { since: from, until: to, queue } = call.query;
    return this.past.between({ since: from, until: to }, null, async (moments) => {
      const { moves: all, states } = await this.queries.execute(new SumChanges(moments, queue));
      const moves = all && (await this.visible(all, call));
      return { moves, hidden: tasksIn(all) - tasksIn(moves), states };
    });
  }

  private async visible<Of extends { readonly queue: string }>(
    all: readonly Of[],
    call: Call<unknown, ChangesSumQuery>,
  ): Promise<readonly Of[]> {
    const covered = await this.scopes.coveredBy(call);
    return covered === null ? all : all.filter(({ queue }) => covered.has(queue));
  }
}

const tasksIn = (moves: ChangesSummary['moves']): number => (moves ?? []).reduce((sum, { tasks }) => sum + tasks, 0);

interface Place {
  readonly moments: TwoMoments;
  /** The position up to which the pages before have looked. */
  readonly reached: bigint;
}

const cursorAt = (list: object, { since, until }: TwoMoments, reached: bigint): string =>
  encodeCursor(list, [String(since.position), since.at, String(until.position), until.at, String(reached)]);

async function placeIn(list: object, cursor: string): Promise<Place> {
  const [from, fromAt, to, toAt, reached] = decodeCursor(list, cursor, isPlace);
  return { moments: { since: momentAt(from, fromAt), until: momentAt(to, toAt) }, reached: BigInt(reached) };
}

const momentAt = (position: string, at: string): Moment => ({
  position: BigInt(position),
  at,
  alternative: null,
  settled: true,
});

type End = readonly [from: string, fromAt: string, to: string, toAt: string, reached: string];

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const SHAPES = [POSITION, TIME, POSITION, TIME, POSITION];

const isPlace = (place: readonly unknown[]): place is End =>
  place.length === SHAPES.length && SHAPES.every((shape, at) => typeof place[at] === 'string' && shape.test(place[at]));
