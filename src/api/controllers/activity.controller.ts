import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Activity } from '../../application/history/activity.js';
import { type ActivityFilter, type ActivityPlace, ActivityReader } from '../../application/history/activity-reader.js';
import { decodeCursor, encodeCursor } from '../../projections/kernel/cursor.js';
import { ActivityPage, ActivityQuery } from '../dto/activity.dto.js';
import { QueryEndpoint } from '../http/endpoint.js';
import { POSITION, sinceOf } from '../input/since.js';
import type { Call } from '../operations/call.js';
import { asInvalidInput, PAGE } from '../operations/pages.js';
import { renameIn } from '../operations/queue-ids.js';

/** What people did, over the whole installation. */
@ApiTags('history')
@Controller('v1/activity')
export class ActivityController {
  constructor(private readonly activity: ActivityReader) {}

  @Get()
  @QueryEndpoint({
    summary: 'List what people did',
    onlyPresent: '`since` and `until` choose its part of the log',
    queues: ({ query }: Call<unknown, ActivityQuery>) => [query.queue],
    renameQueues: ({ query }: Call<unknown, ActivityQuery>, name) => renameIn([query], name),
    description:
      'The commands that were given to queues, tasks, batches, triggers, holds, resources, failure groups and the system, with actor and reason. ' +
      'Submissions, claims and reports of workers are none, nor is what follows from commands, from policies or from the clock. ' +
      'Needs the permission that reading events needs.',
    query: ActivityQuery,
    answers: ActivityPage,
  })
  async listActivity({ query }: Call<unknown, ActivityQuery>) {
    const { since, until, order = 'newest', cursor, limit = PAGE, ...filter } = query;
    const list = { list: 'activity', order, since, until, ...filter };
    const from = cursor === undefined ? null : await placeIn(list, cursor).catch(asInvalidInput);
    const { items, next } = await this.activity.page({
      filter: filter as ActivityFilter,
      since: since === undefined ? null : sinceOf(since),
      until: until === undefined ? null : sinceOf(until),
      order,
      from,
      limit,
    });
    return { body: { items: items.map(viewOf), nextCursor: next && cursorAt(list, next) } };
  }
}

const viewOf = ({ position, ...item }: Activity) => ({ position: String(position), ...item });

const cursorAt = (list: object, { position, isNext }: ActivityPlace): string =>
  encodeCursor(list, [String(position), isNext ? 'next' : 'seen']);

async function placeIn(list: object, cursor: string): Promise<ActivityPlace> {
  const [position, of] = decodeCursor(list, cursor, isPlace);
  return { position: BigInt(position), isNext: of === 'next' };
}

const isPlace = (place: readonly unknown[]): place is readonly [string, 'next' | 'seen'] =>
  place.length === 2 &&
  typeof place[0] === 'string' &&
  POSITION.test(place[0]) &&
  (place[1] === 'next' || place[1] === 'seen');
