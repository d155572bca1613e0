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

const numberIn = (state: FailureGroupStatus): string => `coalesce(sum(n) filter (where state = '${state}'), 0)`;

/** A group that came back has only the time of that as what was said last. */
const SUMS = `
  select * from (
    select json_build_object('open', ${numberIn('open')}, 'resolved', ${numberIn('resolved')}, 'ignored', ${numberIn('ignored')}) as states
    from (select state, count(*) as n from failure_groups where last_at is not null group by state) by_state) states,
   (select count(*) filter (where not said ? 'by')::int as returned, coalesce(sum(returns), 0)::float8 as returns
    from failure_groups where returns > 0 and last_at is not null) came_back`;

const LATEST = `
  select group_id as "group", class, tasks::float8 as "failedTasks", attempts::float8 as "failedAttempts"
  from failure_groups where state = 'open' and last_at is not null order by last_at desc, group_id desc limit $1`;
