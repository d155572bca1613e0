import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { LabelLimits, ValueLimits } from '../../domain/queue/queue.policy.js';
import type { CutRows } from '../kernel/cut-rows.js';
import { inOneSnapshot } from '../kernel/one-snapshot.js';
import { pageByName } from '../kernel/page-by-name.js';
import type { Page } from '../kernel/page.js';

export interface LimitedValue extends ValueLimits {
  /** Null: the tasks without the label. */
  readonly value: string | null;
  /** Whether the value has limits of its own. */
  readonly isOwn: boolean;
  readonly running: number;
  /** When the rates allow the next start; null: now. */
  readonly nextStartAt: string | null;
}

/** Without the values, if nothing of the queue is limited by a label. */
export interface LimitPage extends ValueLimits, Page<LimitedValue> {
  /** Null: none is limited. */
  readonly label: string | null;
}

/**
 * The values of the label that a queue limits which have limits of their own, or of which tasks run, or of which none may start now by its
 * rate. In the order of the values. Null if there is no such queue. Throws `InvalidCursor`.
 */
export class ListLimits extends Query<LimitPage | null> {
  constructor(
    readonly queue: string,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

const LIMITED = `select policy->'perLabel' as limited from queues where name = $1 and status <> 'deleted'`;

/** The name of a row sorts the tasks without the label before all values. */
const ROWS = `
  with running as materialized (
    select r.lane_limit::jsonb->>q.lane_label as value, r.tasks from queues q cross join waybill_limits_running(q) r where q.name = $1),
  shown as (
    select v->>'value' as value from queues q cross join jsonb_array_elements(q.policy->'perLabel'->'values') v where q.name = $1
    union select r.value from running r
    union select p.lane::jsonb->>q.lane_label from queues q join paces p on p.queue = q.name where q.name = $1 and p.lane <> '' and p.used_until > now())
  select n.name, s.value, waybill_lane_limits(q, waybill_limit_of(q, jsonb_build_object(q.lane_label, s.value))::text) as limits,
    exists (select from jsonb_array_elements(q.policy->'perLabel'->'values') v where v->>'value' = s.value) as own,
    coalesce((select r.tasks from running r where r.value is not distinct from s.value), 0) as running,
    (select max((p->>'until')::timestamptz) from jsonb_array_elements(waybill_paced_until(q, jsonb_build_object(q.lane_label, s.value))) p) as next_start_at
  from shown s cross join lateral (select coalesce('=' || s.value, '-') collate "C" as name) n join queues q on q.name = $1
  where n.name > $2 order by n.name limit $3`;

interface Row {
  readonly name: string;
  readonly value: string | null;
  readonly limits: LabelLimits;
  readonly own: boolean;
  readonly running: number;
  readonly next_start_at: Date | null;
}

@QueryHandler(ListLimits)
export class ListLimitsHandler implements IQueryHandler<ListLimits> {
  constructor(private readonly db: DataSource) {}

  execute({ queue, ...page }: ListLimits): Promise<LimitPage | null> {
    return inOneSnapshot(this.db, async (db) => {
      const [found] = await db.query<{ limited: LabelLimits | null }[]>(LIMITED, [queue]);
      if (!found) return null;
      if (found.limited === null) return { label: null, items: [], nextCursor: null };
      const rowsAfter = async (name: string, take: number): Promise<CutRows<Row>> => ({
        rows: await db.query<Row[]>(ROWS, [queue, name, take]),
      });
      const list = { list: 'limits', filter: { queue }, rowsAfter, nameOf: ({ name }: Row) => name };
      const { items, nextCursor } = await pageByName(page, list);
      return { label: found.limited.label, ...limitsIn(found.limited), items: items.map(valueOf), nextCursor };
    });
  }
}

const limitsIn = ({ maxRunning, rate }: ValueLimits): ValueLimits => ({
  ...(maxRunning !== undefined && { maxRunning }),
  ...(rate !== undefined && { rate }),
});

const valueOf = ({ value, limits, own, running, next_start_at: next }: Row): LimitedValue => ({
  value,
  ...limitsIn(limits),
  isOwn: own,
  running,
  nextStartAt: next?.toISOString() ?? null,
});
