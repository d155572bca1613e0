import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type EntityManager } from 'typeorm';
import { inOneSnapshot } from '../kernel/one-snapshot.js';
import type { ArchivableState, Retention } from '../../domain/queue/retention.policy.js';

/** The tasks in one state that would leave the lists now. */
export interface Leaving {
  readonly state: ArchivableState;
  /** How long after their end. */
  readonly days: number;
  readonly tasks: number;
  /** When the first of them ended; null if there is none. */
  readonly oldestEndedAt: string | null;
  /** The ids of those that ended first. */
  readonly first: readonly string[];
}

export interface RetentionView {
  readonly queue: string;
  /** How many of its tasks are in the archive. */
  readonly archived: number;
  /** When its tasks were last looked through; null if that has not happened yet. */
  readonly lastPassAt: string | null;
  readonly states: readonly Leaving[];
  /** Whether more than `MOST_COUNTED` tasks would leave, of which only so many were counted. */
  readonly more: boolean;
}

/** What a retention takes out of a queue's lists now; null if no queue has the name. */
export class GetRetention extends Query<RetentionView | null> {
  constructor(
    readonly queue: string,
    /** Null for that of the queue's policy. */
    readonly retention: Partial<Retention> | null,
  ) {
    super();
  }
}

/** Counting a million takes a second. */
export const MOST_COUNTED = 1_000_000;
const FIRST = 5;

const ARCHIVE = `select q.name, coalesce(a.tasks, 0)::float8 as archived, a.ended_at, coalesce($2::jsonb, q.policy->'retention', '{}') as retention
  from queues q left join archives a on a.queue = q.name where q.name = $1 and q.status <> 'deleted'`;

/** Decides by the same function as the archiving. */
const LEAVING = `
  with kept as (select r.key as state, r.value::int as days from jsonb_each_text($2::jsonb) as r where r.value is not null),
  leaving as materialized (
    select l.state, l.task_id, l.finished_at
    from waybill_leaving($1, $2, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff') l
    limit ${MOST_COUNTED + 1})
  select k.state, k.days, (select count(*) from leaving l where l.state = k.state)::float8 as tasks, f.oldest, coalesce(f.first, '{}') as first
  from kept k cross join lateral (
    select min(l.finished_at) as oldest, array_agg(l.task_id order by l.finished_at, l.task_id) as first from (
      select l.* from leaving l where l.state = k.state order by l.finished_at, l.task_id limit ${FIRST}) l) f
  order by array_position('{succeeded,failed,cancelled,aborted,superseded,deleted}', k.state)`;

interface Archive {
  readonly archived: number;
  readonly ended_at: Date | null;
  readonly retention: Partial<Retention>;
}

type Row = Pick<Leaving, 'state' | 'days' | 'tasks' | 'first'> & { readonly oldest: Date | null };

@QueryHandler(GetRetention)
export class GetRetentionHandler implements IQueryHandler<GetRetention> {
  constructor(private readonly db: DataSource) {}

  execute({ queue, retention }: GetRetention): Promise<RetentionView | null> {
    return inOneSnapshot(this.db, (db) => retentionIn(db, queue, retention));
  }
}

async function retentionIn(
  db: EntityManager,
  queue: string,
  retention: GetRetention['retention'],
): Promise<RetentionView | null> {
  const [archive] = await db.query<Archive[]>(ARCHIVE, [queue, retention]);
  if (!archive) return null;
  const rows = await db.query<Row[]>(LEAVING, [queue, archive.retention]);
  return {
    queue,
    archived: archive.archived,
    lastPassAt: archive.ended_at?.toISOString() ?? null,
    states: rows.map(({ oldest, ...row }) => ({ ...row, oldestEndedAt: oldest?.toISOString() ?? null })),
    more: rows.reduce((sum, { tasks }) => sum + tasks, 0) > MOST_COUNTED,
  };
}
