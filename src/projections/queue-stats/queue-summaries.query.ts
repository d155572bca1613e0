import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { WaitsFor } from '../kernel/rows/task-row-change.js';
import { unattended } from '../kernel/attendance.js';
import { isInternal } from '../kernel/internal-queues.js';
import { limitedTasks, unmetNeeds, waitingTasks } from './kept-tasks.js';
import { oldestWaitingMs } from './oldest-waiting.js';
import { longestRunMs, overdueTasks } from './time-limits.js';
import { type QueueCounts, queueStatsTable } from './queue-stats.projection.js';

export const QUEUE_STATUSES = ['active', 'paused', 'waiting', 'finished'] as const;
export type QueueStatus = (typeof QUEUE_STATUSES)[number];

/** One queue, or the sum of several. */
export interface QueueSummary {
  readonly queue: string;
  /** Whether it is one of the service's own. */
  readonly internal: boolean;
  /** The number of queues in each state. */
  readonly statuses: Readonly<Record<QueueStatus, number>>;
  /** The number of queues with an open intake. */
  readonly open: number;
  readonly stats: Readonly<Record<QueueCounts, number>>;
  /** As in `QueueStatsView`. */
  readonly oldestWaitingMs: number | null;
  /** As in `QueueStatsView`. */
  readonly longestRunMs: number | null;
  readonly overdue: number;
  /** The number of queues whose ready tasks wait without a worker. */
  readonly unattended: number;
  /** Tasks that wait for a place under the limits of what runs, or for a start under the rates. Counted up to 10,000 in each queue. */
  readonly limited: Readonly<Record<'running' | 'rate', number>>;
  /** Tasks whose handlers wait. Counted up to 10,000 in each queue. */
  readonly waits: Readonly<Record<WaitsFor, number>>;
  /** The number of different needs of ready tasks that no worker offers. */
  readonly unmetNeeds: number;
  /** The number of tasks in the archive. */
  readonly archived: number;
  /** How long ago the tasks were last looked through, or since there is a retention; null if there is none. */
  readonly archivingAgeSeconds: number | null;
  /** How many values wait for their turns in queues with fair shares, counted within the first `MOST_VALUES` lanes of each; null if there is none. */
  readonly valuesWaiting: number | null;
}

/** Of lanes, by what their tasks need and then by their turns: a value has one for each need of its tasks. Some 3 µs for each. */
const MOST_VALUES = 1_000;

/** Stands for all queues beyond the listed ones. No queue can have this name. */
export const OTHER_QUEUES = '(others)';

/**
 * Every queue, by name: the service's own, and the first `most` of the others, listed singly, and the rest summed up as
 * `OTHER_QUEUES`.
 */
export class SummariseQueues extends Query<readonly QueueSummary[]> {
  constructor(readonly most: number) {
    super();
  }
}

@QueryHandler(SummariseQueues)
export class SummariseQueuesHandler implements IQueryHandler<SummariseQueues> {
  constructor(private readonly db: DataSource) {}

  async execute({ most }: SummariseQueues): Promise<readonly QueueSummary[]> {
    return this.db.query<QueueSummary[]>(SUMMARIES, [most, OTHER_QUEUES]);
  }
}

const quoted = (name: string): string => `'${name}'`;

const sumOf = (column: string): string =>
  `${quoted(column)}, ${column.endsWith('_max_ms') ? 'max' : 'sum'}(coalesce(s.${column}, 0))`;

const WAITS: readonly WaitsFor[] = ['signal', 'time'];

const SUMMARIES = `
with named as (
  select q.name, ${isInternal('q.name')} as internal, q.status, q.intake_open, ${unattended('q')} as unattended, ${unmetNeeds('q')} as unmet_needs, l.running, l.rate, a.tasks as archived,
         case when q.retains then extract(epoch from now() - coalesce(a.ended_at, q.updated_at)) end as archiving_age,
         case when ${isInternal('q.name')} or row_number() over (order by ${isInternal('q.name')}, q.name) <= $1
           then q.name else $2 end as label,
         case when q.fair_label is not null then (
           select count(distinct o.value) from (select o.queue, o.lane, o.value from turns o where o.queue collate "C" = q.name order by o.needs, o.at, o.place limit ${MOST_VALUES}) o
           where (select r.from_seq from ready r where r.queue = o.queue and r.lane = o.lane order by r.priority desc, r.from_seq limit 1) is not null) end as values_waiting
  from queues q left join archives a on a.queue = q.name cross join lateral ${limitedTasks('q')} l where q.status <> 'deleted'
)
select n.label as queue, bool_and(n.internal) as internal,
       json_build_object(${QUEUE_STATUSES.map((status) => `'${status}', count(*) filter (where n.status = '${status}')`).join(', ')}) as statuses,
       (count(*) filter (where n.intake_open))::int as open,
       json_build_object(${Object.keys(queueStatsTable.columns).map(sumOf).join(', ')}) as stats,
       max(${oldestWaitingMs('n.name')}) as "oldestWaitingMs",
       max(${longestRunMs('n.name')}) as "longestRunMs", sum(${overdueTasks('n.name')})::float8 as overdue,
       (count(*) filter (where n.unattended))::int as unattended, sum(n.unmet_needs)::int as "unmetNeeds",
       json_build_object('running', sum(n.running), 'rate', sum(n.rate)) as limited,
       json_build_object(${WAITS.map((what) => `'${what}', sum(${waitingTasks('n.name', what)})`).join(', ')}) as waits,
       coalesce(sum(n.archived), 0)::float8 as archived, max(n.archiving_age)::float8 as "archivingAgeSeconds",
       sum(n.values_waiting)::float8 as "valuesWaiting"
from named n left join queue_stats s on s.queue = n.name
group by n.label order by min(n.name)`;
