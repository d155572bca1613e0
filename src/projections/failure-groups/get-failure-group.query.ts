import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { topFrame } from '../../domain/kernel/fingerprint.js';
import { numbered } from '../kernel/fragment.js';
import { Past } from '../kernel/past.port.js';
import { type GroupRow, groupRows, withLatest } from './failure-group-rows.js';
import {
  type FailureExample,
  type FailureGroupView,
  MOST_EXAMPLES,
  MOST_HOURS,
  MOST_SHARES,
  MOST_TASKS,
  repairOf,
  saidOf,
  type Share,
  summaryOf,
} from './failure-group-view.js';
import { errorsOf } from './failure-texts.js';
import { FailuresOfGroup } from './failures-of-group.js';
import { WhatPreceded } from './what-preceded.js';

/** A group of failures, of all queues or of one; null if there are none. */
export class GetFailureGroup extends Query<FailureGroupView | null> {
  constructor(
    readonly group: string,
    readonly queue: string | null,
  ) {
    super();
  }
}

@QueryHandler(GetFailureGroup)
export class GetFailureGroupHandler implements IQueryHandler<GetFailureGroup> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly failures: FailuresOfGroup,
    private readonly preceding: WhatPreceded,
  ) {}

  async execute({ group, queue }: GetFailureGroup): Promise<FailureGroupView | null> {
    const row = await this.rowOf(group, queue ?? undefined);
    if (row === null) return null;
    const began = row.returned?.at ?? row.firstSeenAt.toISOString();
    const [[errors], figures, minutes, preceded] = await Promise.all([
      errorsOf(this.past, [row]),
      this.figuresOf(group, queue),
      this.failures.minutes(row, queue ?? undefined),
      this.preceding.before(began, row.queues),
    ]);
    return {
      ...summaryOf(row, errors!),
      frame: errors!.newest && topFrame(errors!.newest),
      said: saidOf(row.said),
      lastRepair: repairOf(row.repair),
      returned: row.returned && { at: row.returned.at, task: row.returned.task, queue: row.returned.queue },
      ...figures,
      minutes,
      preceded,
    };
  }

  private async rowOf(group: string, queue: string | undefined): Promise<GroupRow | null> {
    const rows = groupRows(queue === undefined ? {} : { queue }, { where: [(bind) => `g.group_id = ${bind(group)}`] });
    const [sql, values] = numbered(withLatest(rows, queue));
    const [row = null] = await this.db.query<GroupRow[]>(sql, [...values]);
    return row;
  }

  private async figuresOf(
    group: string,
    queue: string | null,
  ): Promise<Pick<FailureGroupView, 'hours' | 'examples' | 'kinds' | 'workers' | 'workerCount' | 'builds'>> {
    const of = [group, queue];
    const [hours, examples, kinds, workers, builds] = await Promise.all([
      this.db.query<{ at: Date; failedTasks: number; failedAttempts: number }[]>(HOURS, of),
      this.db.query<FailureExample[]>(EXAMPLES, of),
      this.db.query<Share[]>(KINDS, of),
      this.db.query<(Share & { of: number })[]>(WORKERS, of),
      this.db.query<{ build: string }[]>(BUILDS, of),
    ]);
    return {
      hours: hours.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts })),
      examples,
      kinds,
      workers: workers.map(({ name, count }) => ({ name, count })),
      workerCount: workers[0]?.of ?? 0,
      builds: builds.map(({ build }) => build),
    };
  }
}

const HERE = 'group_id = $1 and ($2::text is null or queue = $2)';

const HOURS = `
  select at, sum(tasks)::float8 as "failedTasks", sum(attempts)::float8 as "failedAttempts"
  from failure_group_hours where ${HERE} group by at order by at desc limit ${MOST_HOURS}`;

const newestTasks = (count: number): string => `
  select k.task_id as task, k.queue, k.kind from failed_tasks f join known_tasks k on k.task_id = f.task_id
  where f.group_id = $1 and ($2::text is null or k.queue = $2) order by f.task_id desc limit ${count}`;

const EXAMPLES = newestTasks(MOST_EXAMPLES);

const KINDS = `
  select kind as name, count(*)::int as count from (${newestTasks(MOST_TASKS)}) newest
  group by kind order by count desc, kind limit ${MOST_SHARES}`;

const WORKERS = `
  select worker as name, sum(attempts)::float8 as count, count(*) over ()::int as of
  from failure_group_workers where ${HERE} group by worker order by count desc, worker limit ${MOST_SHARES}`;

/** A worker runs one build at a time, until it claims with the next one: those that it ran between its first and its last failure. */
const BUILDS = `
  select b.build from failure_group_workers w join worker_builds b
    on b.queue = w.queue and b.worker = w.worker and b.first_at <= w.last_at
    and coalesce((select min(n.first_at) from worker_builds n
      where n.queue = b.queue and n.worker = b.worker and n.first_at > b.first_at), 'infinity') > w.first_at
  where w.group_id = $1 and ($2::text is null or w.queue = $2)
  group by b.build order by max(b.first_at) desc limit ${MOST_SHARES}`;
