import { ApiProperty } from '@nestjs/swagger';
import { EVENTS, type EventType } from '../../domain/events.js';
import { Choice, Closed, Part, Since, Text } from '../input/fields.js';
import { EventView } from './event.dto.js';
import { Limits } from './limits.js';
import { AsOf } from './past.dto.js';
import { PastPageQuery } from './query.dto.js';

/** Which events of the history of one thing to show. */
@Closed()
export class HistoryQuery extends PastPageQuery {
  @Text({ max: Limits.actor, optional: true, example: 'ann', description: 'Only events that this actor caused.' })
  actor?: string;

  @Choice(Object.keys(EVENTS), { optional: true, example: 'QueuePaused' })
  type?: EventType;

  @Since({ optional: true, example: '24h', description: 'From this time on, or from this long ago (such as `24h`).' })
  since?: string;

  @Since({ optional: true, description: 'Up to this time, or up to this long ago.' })
  until?: string;
}

/** A part of a history. */
export class EventPage {
  @ApiProperty({ type: () => [EventView], description: 'The oldest event first.' })
  items!: EventView[];

  @Text({ max: Limits.cursor, nullable: true, description: 'null on the last page.' })
  nextCursor!: string | null;

  @Part(() => AsOf, { description: 'The position that all pages are of.' })
  asOf!: AsOf;
}
