import { ApiProperty } from '@nestjs/swagger';
import { CATEGORIES, type Category } from '../../domain/aggregates.js';
import { EVENTS, type EventType } from '../../domain/events.js';
import { Choice, Closed, Integer, Since, Text } from '../input/fields.js';
import { Count } from './answer.fields.js';
import { GivenCommand } from './given-command.dto.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { PageCursor, PageLimit } from './page.fields.js';

const ORDERS = ['newest', 'oldest'] as const;

@Closed()
export class ActivityQuery {
  @Since({ optional: true, example: '24h', description: 'From this time on, or from this long ago (such as `24h`).' })
  since?: string;

  @Since({ optional: true, description: 'Up to this time, or up to this long ago.' })
  until?: string;

  @Text({ max: Limits.actor, optional: true, example: 'ann', description: 'Only what this actor did.' })
  actor?: string;

  @Choice(CATEGORIES, { optional: true, description: 'Only what was done to this kind of thing.' })
  category?: Category;

  @Choice(Object.keys(EVENTS), { optional: true, example: 'QueuePaused' })
  type?: EventType;

  @Text({
    max: 100,
    pattern: QUEUE_NAME,
    optional: true,
    description: 'Only what was done to this queue and its tasks.',
  })
  queue?: string;

  @Integer({
    min: 1,
    max: 2_000_000_000,
    optional: true,
    description: "Only what was decided by this version of the queue's policy.",
  })
  policyVersion?: number;

  @Choice(ORDERS, { optional: true, description: 'What comes first; the newest if absent.' })
  order?: (typeof ORDERS)[number];

  @PageCursor()
  cursor?: string;

  @PageLimit()
  limit?: number;
}

/** A command that somebody gave. */
export class ActivityItem extends GivenCommand {
  @Choice(CATEGORIES, { description: 'What kind of thing it was done to.' })
  category!: Category;

  @Choice(Object.keys(EVENTS), { description: 'The event that the command caused.', example: 'QueuePaused' })
  type!: EventType;

  @Text({ max: 100, description: 'The name or the id of what it was done to.', example: 'mail' })
  subject!: string;

  @Text({ max: 100, nullable: true, description: 'The queue, if it was done to one or to a task of one.' })
  queue!: string | null;

  @Text({ min: 0, max: 200, description: 'What the same request or operation caused has the same id.' })
  correlationId!: string;

  @Count({ required: false, description: "The version of the queue's policy that it was decided by." })
  policyVersion?: number;

  @Count({
    description:
      'How many neighbouring events of this type the same request or operation caused, such as the tasks that were retried together. The item shows the first of them in the order of the list.',
  })
  count!: number;
}

export class ActivityPage {
  @ApiProperty({ type: () => [ActivityItem] })
  items!: ActivityItem[];

  @Text({
    max: Limits.cursor,
    nullable: true,
    description:
      'null on the last page. A page looks through a bounded part of the log, so one may be empty and others follow.',
  })
  nextCursor!: string | null;
}
