import type { FailureGroupStatus } from '../../domain/failure-group/failure-group.events.js';
import type { TaskError } from '../../domain/task/task.events.js';
import type { Fragment } from '../kernel/fragment.js';

/** Which groups: those with failures in the queue, and what they have in common. */
export interface FailureGroupFilter {
  readonly queue?: string;
  readonly state?: FailureGroupStatus;
  readonly class?: TaskError['class'];
}

/** What somebody said of a group, or that it came back. */
export interface Said {
  readonly by?: string;
  readonly at: string;
  readonly reason?: string;
  readonly build?: string;
  readonly operation?: string;
}

/** A failure of a task: that at the position. */
export interface FailureAt {
  readonly task: string;
  readonly position: string;
}

export interface GroupRow {
  readonly group: string;
  readonly class: TaskError['class'];
  readonly attempts: number;
  readonly tasks: number;
  /** Up to `MOST_FAILED_NOW`; null if nothing tells. */
  readonly failedNow: number | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly queues: readonly string[];
  /** The task that failed like this last, and the position of that failure. */
  readonly lastTask: string;
  readonly position: string;
  /** Of the newest tasks of which this is the last failure, those that are known; undefined as of a moment. */
  readonly messages?: readonly string[];
  /** Without any of these, the newest tasks whose last failure was in the group, and where the log has it; undefined as of a moment. */
  readonly ended?: readonly FailureAt[];
  readonly state: FailureGroupStatus;
  readonly returns: number;
  readonly said: Said | null;
  readonly repair: Said | null;
  readonly returned: { readonly at: string; readonly task: string; readonly queue: string } | null;
}

/** The statement's name of the row that has the counts of a group: in all queues, or in one. */
export type Counted = 'g' | 'q';
export const countedIn = (queue: string | undefined): Counted => (queue === undefined ? 'g' : 'q');

/** Groups that meet the conditions on `g` and `q`, with what `more` selects. */
export const groupRows =
  ({ queue, state, class: ofClass }: FailureGroupFilter, { also = '', where = [] }: MoreOfRows = {}): Fragment =>
  (bind) => {
    const of = countedIn(queue);
    const conditions = [
      queue === undefined ? HAS_FAILURES : `q.queue = ${bind(queue)}`,
      ...(state === undefined ? [] : [`g.state = ${bind(state)}`]),
      ...(ofClass === undefined ? [] : [`g.class = ${bind(ofClass)}`]),
      ...where.map((condition) => condition(bind)),
    ];
    return `
      select g.group_id as "group", g.class, ${of}.attempts::float8 as attempts, ${of}.tasks::float8 as tasks, ${of}.first_at as "firstSeenAt",
             ${of}.last_at as "lastSeenAt", g.state, g.returns::float8 as returns, g.said, g.repair, g.returned${also}
      from failure_groups g ${queue === undefined ? '' : 'join failure_group_queues q using (group_id)'}
      where ${conditions.join(' and ')}`;
  };

interface MoreOfRows {
  readonly also?: string;
  readonly where?: readonly Fragment[];
}

/** By the rules of today the failures of others have other ids. */
const HAS_FAILURES = 'g.last_at is not null';

/** So many messages of tasks that are failed tell what is the same in all of them: others have none. */
const MOST_MESSAGES = 5;

/** The log is asked for each. */
const MOST_ENDED = 3;

/** A list has up to a hundred groups, and each task is failed in one. */
export const MOST_FAILED_NOW = 10_000;

/** Adds to some of these rows what they have by queue: its names, and what failed last; and how many tasks are failed now. */
export const withLatest =
  (rows: Fragment, queue: string | undefined): Fragment =>
  (bind) =>
    `
    select g.*, latest.*, failing."failedNow", newest.messages, ended.ended from (${rows(bind)}) g
    cross join lateral (
      select count(*)::int as "failedNow" from (
        select from failed_tasks f where f.group_id = g."group" and f.failing = 1 ${queue === undefined ? '' : `and f.queue = ${bind(queue)}`}
        limit ${MOST_FAILED_NOW}) f) failing
    cross join lateral (
      select coalesce(array_agg(error) filter (where error is not null), '{}') as messages from (
        select k.error from failed_tasks f join known_tasks k on k.task_id = f.task_id
        where f.group_id = g."group" and f.failing = 1 order by f.task_id desc limit ${MOST_MESSAGES}) t) newest
    cross join lateral (
      select coalesce(json_agg(json_build_object('task', task_id, 'position', failed_position::text)), '[]') as ended from (
        select f.task_id, f.failed_position from failed_tasks f
        where newest.messages = '{}' and f.group_id = g."group" order by f.task_id desc limit ${MOST_ENDED}) t) ended
    cross join lateral (
      select array_agg(queue order by queue) as queues, (array_agg(last_task order by position desc))[1] as "lastTask",
             max(position)::text as position
      from failure_group_queues q where q.group_id = g."group" ${queue === undefined ? '' : `and q.queue = ${bind(queue)}`}) latest`;
