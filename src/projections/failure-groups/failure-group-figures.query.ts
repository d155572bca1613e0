import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { FailureGroupStatus } from '../../domain/failure-group/failure-group.events.js';
import type { TaskError } from '../../domain/task/task.events.js';

/** How often tasks and attempts failed like this. */
export interface GroupCounts {
  readonly group: string;
  readonly class: TaskError['class'];
  readonly failedTasks: number;
  readonly failedAttempts: number;
}

export interface FailureGroupFigures {
  /** The number of groups in each state. */
  readonly states: Readonly<Record<FailureGroupStatus, number>>;
  /** Those that came back after they were resolved, of which nobody has said anything since. */
  readonly returned: number;
  /** How often groups came back. */
  readonly returns: number;
  /** The open groups that were seen last, the latest first. */
  readonly latest: readonly GroupCounts[];
}

/** The figures of all groups, and the counts of `most` of them. */
export class SumFailureGroups extends Query<FailureGroupFigures> {
  constructor(readonly most: number) {
    super();
  }
}

@QueryHandler(SumFailureGroups)
export class SumFailureGroupsHandler implements IQueryHandler<SumFailureGroups> {
  constructor(private readonly db: DataSource) {}

  async execute({ most }: SumFailureGroups): Promise<FailureGroupFigures> {
    const [[sums], latest] = await Promise.all([
      this.db.query<[Omit<FailureGroupFigures, 'latest'>]>(SUMS),
      this.db.query<GroupCounts[]>(LATEST, [most]),
    ]);
    return { ...sums, latest };
  }
}

const numberIn = (state: FailureGroupStatus): string => `count(*) filter (where state = '${state}')`;

/** A group that came back has only the time of that as what was said last. */
const SUMS = `
  select json_build_object('open', ${numberIn('open')}, 'resolved', ${numberIn('resolved')}, 'ignored', ${numberIn('ignored')}) as states,
         count(*) filter (where came_back)::int as returned, coalesce(sum(returns), 0)::float8 as returns
  from (
    select coalesce(s.state, 'open') as state, s.returns, s.said is not null and not s.said ? 'by' as came_back
    from (select distinct group_id from failure_groups) g left join failure_group_states s using (group_id)) g`;

const LATEST = `
  select group_id as "group", (array_agg(class order by position desc))[1] as class,
         sum(tasks)::float8 as "failedTasks", sum(attempts)::float8 as "failedAttempts"
  from failure_groups
  where not exists (select from failure_group_states s where s.group_id = failure_groups.group_id and s.state <> 'open')
  group by group_id order by max(last_at) desc, group_id limit $1`;
