import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { ListChanges, SumChanges } from '../../projections/changes/changes.queries.js';
import { decodeCursor, encodeCursor } from '../../projections/kernel/cursor.js';
import type { Moment } from '../../projections/kernel/past.port.js';
import { ChangesPage, ChangesQuery, ChangesSum, ChangesSumQuery } from '../dto/change.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import type { Call } from '../operations/call.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { PastReads, type TwoMoments } from '../operations/past-reads.js';
import { renameIn } from '../operations/queue-ids.js';

/** What differs between two moments. */
@ApiTags('history')
@Controller('v1/changes')
export class ChangesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly past: PastReads,
  ) {}

  @Get()
  @QueryEndpoint({
    summary: 'List what changed between two moments',
    onlyPresent: '`since` and `until` choose its two moments',
    queues: ({ query }: Call<unknown, ChangesQuery>) => [query.queue],
    renameQueues: ({ query }: Call<unknown, ChangesQuery>, name) => renameIn([query], name),
    description:
      'The tasks whose state, step, error class or priority at the second moment is not what it was at the first: what came of each, not each ' +
      'step on the way. What changed from A to B, and then from B to C, is together what changed from A to C.',
    query: ChangesQuery,
    answers: ChangesPage,
    refuses: ['HISTORY_NOT_READY'],
  })
  async listChanges({ query }: Call<unknown, ChangesQuery>) {
    const { since, until, queue, batch, cursor, limit = PAGE } = query;
    const list = { list: 'changes', since, until, queue, batch };
    const place = cursor === undefined ? null : await placeIn(list, cursor).catch(asInvalidInput);
    return this.past.between({ since, until }, place && place.moments, async (moments) => {
      const between = { from: moments.since.position, to: moments.until.position };
      const after = place ? place.reached : between.from;
      const { items, reached } = await this.queries.execute(new ListChanges(between, { queue, batch }, after, limit));
      return { items, nextCursor: reached === null ? null : cursorAt(list, moments, reached) };
    });
  }

  @Get('summary')
  @QueryEndpoint({
    summary: 'Count what changed between two moments',
    onlyPresent: '`since` and `until` choose its two moments',
    queues: ({ query }: Call<unknown, ChangesSumQuery>) => [query.queue],
    renameQueues: ({ query }: Call<unknown, ChangesSumQuery>, name) => renameIn([query], name),
    description:
      'How many tasks went from which state to which, and with `queue` how many were in each state at both moments.',
    query: ChangesSumQuery,
    answers: ChangesSum,
    refuses: ['HISTORY_NOT_READY', 'READ_TOO_LONG'],
  })
  sumChanges({ query: { since: from, until: to, queue } }: Call<unknown, ChangesSumQuery>) {
    return this.past.between({ since: from, until: to }, null, ({ since, until }) =>
      this.queries.execute(new SumChanges(since, until, queue)),
    );
  }
}

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

const POSITION = /^[0-9]{1,18}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const SHAPES = [POSITION, TIME, POSITION, TIME, POSITION];

const isPlace = (place: readonly unknown[]): place is End =>
  place.length === SHAPES.length && SHAPES.every((shape, at) => typeof place[at] === 'string' && shape.test(place[at]));
