import { Closed, Choice, Flag, Integer, Since, Text, Uuid } from '../input/fields.js';
import { TASK_STATUSES } from '../../domain/task/task.events.js';
import { CATEGORIES, EVENTS, type Category, type EventType } from '../../domain/events.js';
import { ReasonRequest } from './reason.dto.js';
import { Limits, QUEUE_NAME } from './limits.js';

const POSITION = /^[0-9]{1,18}$/;

/** The parameter of every query about what may lag behind. */
@Closed()
export class ReadQuery {
  @Text({
    max: 18,
    pattern: POSITION,
    optional: true,
    example: '4711',
    description: 'Answer from a state at least as new as this position, the one a command answered with.',
  })
  minPosition?: string;
}

@Closed()
export class PageQuery extends ReadQuery {
  @Text({ max: Limits.cursor, optional: true, description: 'The `nextCursor` of the page before.' })
  cursor?: string;

  @Integer({ min: 1, max: Limits.page, optional: true, example: 100, description: 'Items at most; 100 when absent.' })
  limit?: number;
}

@Closed()
export class TaskQuery extends PageQuery {
  @Text({ max: 100, pattern: QUEUE_NAME, optional: true })
  queue?: string;

  @Choice(TASK_STATUSES, { optional: true })
  state?: (typeof TASK_STATUSES)[number];

  @Text({ max: Limits.key, optional: true })
  key?: string;

  @Text({ max: Limits.reference, optional: true })
  reference?: string;

  @Text({ max: Limits.kind, optional: true })
  kind?: string;

  @Text({ max: Limits.worker, optional: true })
  worker?: string;

  @Text({ max: 321, pattern: /^[^:]+:/, optional: true, example: 'customer:acme', description: '`name:value`.' })
  label?: string;
}

@Closed()
export class DeletionQuery extends ReasonRequest {
  @Flag({ optional: true, description: 'Delete a running task, too.' })
  force?: boolean;
}

@Closed()
export class FollowQuery {
  @Text({
    max: 18,
    pattern: POSITION,
    optional: true,
    description: 'Go on after this position; from the first when absent.',
  })
  after?: string;

  @Since({
    optional: true,
    example: '10m',
    description: 'Begin with what was recorded so long ago, at this time, or from `now` on; not with `after`.',
  })
  since?: string;

  @Text({ max: 100, pattern: QUEUE_NAME, optional: true, description: 'Events of this queue and of its tasks.' })
  queue?: string;

  @Uuid({ optional: true, description: 'Events of this task.' })
  task?: string;

  @Choice(CATEGORIES, {
    optional: true,
    description: '`consumer`: who took a serial queue, and took it over.',
  })
  category?: Category;

  @Choice(Object.keys(EVENTS), { optional: true, example: 'TaskFailed' })
  type?: EventType;

  @Text({ max: Limits.actor, optional: true, example: 'ann', description: 'What this one did.' })
  actor?: string;
}

@Closed()
export class EventQuery extends FollowQuery {
  @Integer({ min: 1, max: 1_000_000_000, optional: true, description: 'Events at most; all to the head when absent.' })
  limit?: number;
}
