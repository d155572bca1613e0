import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import type { Page } from '../kernel/page.js';
import { pageByName } from '../kernel/page-by-name.js';
import { PRESENT_FOR } from '../kernel/attendance.js';
import { type OfService, within } from '../kernel/internal-queues.js';

export interface WorkerView {
  readonly name: string;
  /** `alive`: it asked for tasks within the last minute, or has a lease that is not overdue. */
  readonly state: 'alive' | 'gone';
  /** The server from which it last asked. */
  readonly server: string;
  /** The build that it named last with a claim; null if it has named none. */
  readonly build: string | null;
  /** The queues that it asked for tasks, by name. */
  readonly queues: readonly string[];
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  /** How many of its handlers go on although their tasks are lost or cancelled. */
  readonly stuck: number;
  /** What it offered when it last asked for tasks. */
  readonly offers: WorkerLabels;
  readonly running: number;
  readonly claimed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly lost: number;
  readonly returned: number;
}

export type WorkerPage = Page<WorkerView>;

/**
 * Every worker that has reported on a task within the last week, or asked for one within the last day, by name, with its work in the queues of
 * the filter. Throws `InvalidCursor`.
 */
export class ListWorkers extends Query<WorkerPage> {
  constructor(
    readonly cursor: string | null,
    readonly limit: number,
    readonly filter: OfService = {},
  ) {
    super();
  }
}

@QueryHandler(ListWorkers)
export class ListWorkersHandler implements IQueryHandler<ListWorkers> {
  constructor(private readonly db: DataSource) {}

  async execute(asked: ListWorkers): Promise<WorkerPage> {
    const { filter } = asked;
    const rowsAfter = async (name: string, take: number) => ({
      rows: await this.db.query<Row[]>(workersWithin(filter), [name, take]),
    });
    const nameOf = ({ name }: Row): string => name;
    const { items, nextCursor } = await pageByName(asked, { list: 'workers', filter, rowsAfter, nameOf });
    return { items: items.map(viewOf), nextCursor };
  }
}

/** A worker has a row in each table for each of its queues. */
const workersWithin = (filter: OfService): string => `
with named as (
  select worker as name from worker_roster where worker > $1 and ${within('queue', filter)}
  union select worker from worker_presence where worker > $1 and ${within('queue', filter)}
  order by name limit $2
)
select n.name, coalesce(seen.server, done.server) as server, done.build, seen.queues as "askedQueues", done.queues as "claimedQueues",
       least(seen.first, done.first) as "firstSeenAt", greatest(seen.last, done.last) as "lastSeenAt",
       coalesce(seen.last > now() - ${PRESENT_FOR}, false)
         or exists (select from leases l where l.worker = n.name and l.deadline > now() and ${within('l.queue', filter)}) as alive,
       coalesce(seen.stuck, 0) as stuck, coalesce(seen.offers, '{}') as offers, coalesce(done.running, 0) as running, coalesce(done.claimed, 0) as claimed, coalesce(done.succeeded, 0) as succeeded,
       coalesce(done.failed, 0) as failed, coalesce(done.lost, 0) as lost, coalesce(done.returned, 0) as "returned"
from named n
left join lateral (
  select array_agg(p.queue) as queues, (array_agg(p.server order by p.seen_at desc, p.queue))[1] as server,
         min(p.first_seen_at) as first, max(p.seen_at) as last,
         (array_agg(p.offers order by p.seen_at desc, p.queue))[1] as offers,
         (sum(p.stuck) filter (where p.stuck_at > now() - ${PRESENT_FOR}))::int as stuck
  from worker_presence p where p.worker = n.name and ${within('p.queue', filter)}) seen on true
left join lateral (
  select array_agg(r.queue) as queues, (array_agg(r.server order by r.last_seen desc, r.queue))[1] as server, (array_agg(r.build order by r.last_seen desc, r.queue))[1] as build,
         min(r.first_seen) as first, max(r.last_seen) as last, sum(r.running)::float8 as running, sum(r.claimed)::float8 as claimed,
         sum(r.succeeded)::float8 as succeeded, sum(r.failed)::float8 as failed, sum(r.lost)::float8 as lost,
         sum(r.returned)::float8 as returned
  from worker_roster r where r.worker = n.name and ${within('r.queue', filter)}) done on true
order by n.name`;

interface Row extends Omit<WorkerView, 'state' | 'queues' | 'firstSeenAt' | 'lastSeenAt'> {
  readonly askedQueues: readonly string[] | null;
  readonly claimedQueues: readonly string[] | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly alive: boolean;
}

const viewOf = ({
  name,
  server,
  build,
  askedQueues,
  claimedQueues,
  firstSeenAt,
  lastSeenAt,
  alive,
  ...counts
}: Row): WorkerView => ({
  name,
  server,
  build,
  state: alive ? 'alive' : 'gone',
  queues: [...new Set([...(askedQueues ?? []), ...(claimedQueues ?? [])])].sort(),
  firstSeenAt: firstSeenAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
  ...counts,
});
