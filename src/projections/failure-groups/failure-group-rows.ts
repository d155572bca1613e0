import type { FailureGroupStatus } from '../../domain/failure-group/failure-group.events.js';
import type { TaskError } from '../../domain/task/task.events.js';

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

export interface GroupRow {
  readonly group: string;
  readonly class: TaskError['class'];
  readonly attempts: number;
  readonly tasks: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly queues: readonly string[];
  /** The task that failed like this last, and the position of that failure. */
  readonly lastTask: string;
  readonly position: string;
  readonly state: FailureGroupStatus;
  readonly returns: number;
  readonly said: Said | null;
  readonly repair: Said | null;
  readonly returned: { readonly at: string; readonly task: string; readonly queue: string } | null;
}

/** The groups, each with the sums of its queues. `$1`: a queue, or null for all. */
export const GROUPS = `
  select g.*, coalesce(s.state, 'open') as state, coalesce(s.returns, 0)::int as returns, s.said, s.repair, s.returned
  from (
    select group_id as "group", (array_agg(class order by position desc))[1] as class,
           sum(attempts)::float8 as attempts, sum(tasks)::float8 as tasks,
           min(first_at) as "firstSeenAt", max(last_at) as "lastSeenAt", array_agg(queue order by queue) as queues,
           (array_agg(last_task order by position desc))[1] as "lastTask", max(position)::text as position
    from failure_groups where $1::text is null or queue = $1 group by group_id) g
  left join failure_group_states s on s.group_id = g."group"`;
