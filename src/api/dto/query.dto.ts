import { Closed, Choice, Flag, Integer, MomentOf, Since, Text, Uuid } from '../input/fields.js';
import { POSITION } from '../input/since.js';
import { TASK_STATUSES } from '../../domain/task/task.events.js';
import { CATEGORIES, type Category } from '../../domain/aggregates.js';
import { EVENTS, type EventType } from '../../domain/events.js';
import { type Bucket, BUCKETS } from '../../projections/queue-history/bucket.js';
import { TASK_ORDERS, type TaskOrder } from '../../projections/tasks/task-filter.js';
import { DECIDED } from './decided-fields.js';
import { ReasonRequest } from './reason.dto.js';
import { FAILURE_GROUP, LABEL_FILTER, Limits, QUEUE_NAME } from './limits.js';
import { PageCursor, PageLimit } from './page.fields.js';
import { SEARCHED } from './search.fields.js';

/** The parameter of every query on data that may lag behind the log. */
@Closed()
export class ReadQuery {
  @Text({
    max: 18,
    pattern: POSITION,
    optional: true,
    example: '4711',
    description: 'Answer from a state at least as new as this position, which a command returned.',
  })
  minPosition?: string;
}

const AsOfMoment = () =>
  MomentOf({
    optional: true,
    example: '10m',
    description:
      'Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`.',
  });

/** The parameters of a query that also shows the past. */
@Closed()
export class PastQuery extends ReadQuery {
  @AsOfMoment()
  asOf?: string;
}

@Closed()
export class StatsQuery extends PastQuery {
  @Since({
    optional: true,
    example: '24h',
    description:
      'Also answer with figures over time from this time on, or from this long ago (such as `24h`). Needs `to`.',
  })
  from?: string;

  @Since({ optional: true, example: 'now', description: 'Where the figures over time end. Needs `from`.' })
  to?: string;

  @Choice(BUCKETS, {
    optional: true,
    description: 'The length of a bucket of figures; if absent, the finest with up to 180 buckets. Needs `from`.',
  })
  bucket?: Bucket;
}

@Closed()
export class PageQuery extends ReadQuery {
  @PageCursor()
  cursor?: string;

  @PageLimit()
  limit?: number;
}

/** The parameters of a list that also shows the past. */
@Closed()
export class PastPageQuery extends PageQuery {
  @AsOfMoment()
  asOf?: string;
}

const Internal = (what: string) =>
  Flag({
    optional: true,
    description: `\`false\`: without ${what} of the service itself (\`waybill.*\`); \`true\`: only those.`,
  });

@Closed()
export class QueueQuery extends PageQuery {
  @Internal('the queues')
  internal?: boolean;
}

@Closed()
export class PastQueueQuery extends QueueQuery {
  @AsOfMoment()
  asOf?: string;
}

@Closed()
export class WorkerQuery extends PastPageQuery {
  @Internal('the work in queues')
  internal?: boolean;
}

@Closed()
export class TaskQuery extends PastPageQuery {
  @Text(SEARCHED)
  q?: string;

  @Internal('the tasks')
  internal?: boolean;

  @Text({ max: 100, pattern: QUEUE_NAME, optional: true })
  queue?: string;

  @Choice(TASK_STATUSES, { optional: true, description: 'One of them. A search has several: `q=state:failed,held`.' })
  state?: (typeof TASK_STATUSES)[number];

  @Text({ max: Limits.key, optional: true })
  key?: string;

  @Text({ max: Limits.reference, optional: true })
  reference?: string;

  @Text({ max: Limits.kind, optional: true })
  kind?: string;

  @Text({ max: Limits.worker, optional: true })
  worker?: string;

  @Text({ max: Limits.step, optional: true, description: 'Only tasks that are in this step.' })
  step?: string;

  @Uuid({ optional: true, description: 'Only tasks of this batch.' })
  batch?: string;

  @Text({ ...FAILURE_GROUP, optional: true, description: 'Only tasks that failed last in this group of failures.' })
  group?: string;

  @Text({ max: 321, pattern: LABEL_FILTER, optional: true, example: 'customer:acme', description: 'As `name:value`.' })
  label?: string;

  @Flag({ optional: true, description: '`true`: only open tasks whose deadline has passed.' })
  overdue?: boolean;

  @Choice(TASK_ORDERS, {
    optional: true,
    description:
      '`deadline`: only tasks that have a deadline, the earliest first. `newest`: by id, the greatest first; failed tasks by their latest failure, as without it.',
  })
  sort?: TaskOrder;

  @Integer(DECIDED.version)
  policyVersion?: number;

  @Since(DECIDED.since)
  decidedSince?: string;

  @Since(DECIDED.until)
  decidedUntil?: string;
}

@Closed()
export class DeletionQuery extends ReasonRequest {
  @Flag({ optional: true, description: 'Also delete a running task.' })
  force?: boolean;
}

@Closed()
export class FollowQuery {
  @Text({
    max: 18,
    pattern: POSITION,
    optional: true,
    description: 'Start after this position; at the first event if absent.',
  })
  after?: string;

  @Since({
    optional: true,
    example: '10m',
    description: 'Start at this time, this long ago (such as `10m`), or `now`. Cannot be combined with `after`.',
  })
  since?: string;

  @Text({ max: 100, pattern: QUEUE_NAME, optional: true, description: 'Only events of this queue and its tasks.' })
  queue?: string;

  @Uuid({ optional: true, description: 'Only events of this task.' })
  task?: string;

  @Choice(CATEGORIES, {
    optional: true,
    description: 'Only events of this category. `consumer`: who took a serial queue, or took it over.',
  })
  category?: Category;

  @Text({
    max: 100,
    optional: true,
    example: 'nightly',
    description: 'Only events of the batch, hold, resource or trigger of this name. Needs its `category`.',
  })
  name?: string;

  @Choice(Object.keys(EVENTS), { optional: true, example: 'TaskFailed' })
  type?: EventType;

  @Text({ max: Limits.actor, optional: true, example: 'ann', description: 'Only events that this actor caused.' })
  actor?: string;

  @Integer({
    min: 1,
    max: 2_000_000_000,
    optional: true,
    description: "Only events that were decided by this version of their queue's policy.",
  })
  policyVersion?: number;

  @Choice(['public'], {
    optional: true,
    description: 'Only the public halves: what happened, without payloads, keys, labels, results and texts of errors.',
  })
  half?: 'public';
}

@Closed()
export class EventQuery extends FollowQuery {
  @Since({ optional: true, description: 'Up to this time, or up to this long ago.' })
  until?: string;

  @Integer({ min: 1, max: 1_000_000_000, optional: true, description: 'The most events to return; all if absent.' })
  limit?: number;
}
