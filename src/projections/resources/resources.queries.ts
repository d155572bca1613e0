import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { CutRows } from '../kernel/cut-rows.js';
import { pageByName } from '../kernel/page-by-name.js';
import type { Page } from '../kernel/page.js';

/** A step that needs the resource. */
export interface NeedView {
  readonly queue: string;
  readonly step: string;
  /** The gauge must be below this. */
  readonly below: number;
  readonly met: boolean;
  /** The number of ready tasks that wait before the step, up to `MOST_COUNTED`. */
  readonly waiting: number;
}

export interface ResourceView {
  readonly name: string;
  readonly description: string;
  readonly unit: string | null;
  readonly staleAfterSeconds: number;
  /** `stale`: nobody has measured it for too long, or ever, so that it is short of every limit. Null as of a moment. */
  readonly state: 'measured' | 'stale' | null;
  /** The last measure, however old. */
  readonly value: number | null;
  readonly measuredAt: string | null;
  readonly measuredBy: string | null;
  readonly definedBy: string;
  readonly definedAt: string;
  /** The first `MOST_NEEDS` by queue. */
  readonly needs: readonly NeedView[];
  readonly revision: number;
  readonly position: string;
}

/** Null if no resource has the name. */
export class GetResource extends Query<ResourceView | null> {
  constructor(readonly name: string) {
    super();
  }
}

/** Every resource, by name. Throws `InvalidCursor`. */
export class ListResources extends Query<Page<ResourceView>> {
  constructor(
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

const MOST_COUNTED = 10_000;
const MOST_NEEDS = 100;

type Row = Omit<ResourceView, 'measuredAt' | 'definedAt'> & {
  readonly measuredAt: Date | null;
  readonly definedAt: Date;
};

/** Computes `met` by the function that claims obey. */
const ROWS = `
  select r.name, r.description, r.unit, r.stale_after as "staleAfterSeconds",
    case when waybill_level(r.name) is null then 'stale' else 'measured' end as state, g.value, g.measured_at as "measuredAt",
    g.measured_by as "measuredBy", r.defined_by as "definedBy", r.defined_at as "definedAt", r.revision, r.position,
    (select coalesce(jsonb_agg(jsonb_build_object('queue', n.queue, 'step', n.step, 'below', n.below,
        'met', coalesce(waybill_level(r.name) < n.below, false), 'waiting', waybill_before_step(n.queue, n.step, ${MOST_COUNTED}))), '[]')
      from (select q.name as queue, n.step, n.below from queues q cross join lateral waybill_needs(q.needs) n
        where q.needs is not null and q.status <> 'deleted' and n.resource = r.name
        order by q.name, n.step, n.below limit ${MOST_NEEDS}) n) as needs
  from resources r left join gauges g on g.resource = r.name`;

@QueryHandler(GetResource)
export class GetResourceHandler implements IQueryHandler<GetResource> {
  constructor(private readonly db: DataSource) {}

  async execute({ name }: GetResource): Promise<ResourceView | null> {
    const [row] = await this.db.query<Row[]>(`${ROWS} where r.name = $1 and r.state = 'defined'`, [name]);
    return row ? viewOf(row) : null;
  }
}

@QueryHandler(ListResources)
export class ListResourcesHandler implements IQueryHandler<ListResources> {
  constructor(private readonly db: DataSource) {}

  async execute(asked: ListResources): Promise<Page<ResourceView>> {
    const rowsAfter = (name: string, take: number) => this.rowsAfter(name, take);
    const { items, nextCursor } = await pageByName(asked, {
      list: 'resources',
      rowsAfter,
      nameOf: ({ name }: Row) => name,
    });
    return { items: items.map(viewOf), nextCursor };
  }

  private async rowsAfter(name: string, take: number): Promise<CutRows<Row>> {
    const text = `${ROWS} where r.state = 'defined' and r.name > $1 order by r.name limit $2`;
    return { rows: await this.db.query<Row[]>(text, [name, take]) };
  }
}

const viewOf = ({ measuredAt, definedAt, ...row }: Row): ResourceView => ({
  ...row,
  measuredAt: measuredAt?.toISOString() ?? null,
  definedAt: definedAt.toISOString(),
});
