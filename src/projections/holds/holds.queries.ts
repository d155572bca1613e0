import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { CutRows } from '../kernel/cut-rows.js';
import { pageByName } from '../kernel/page-by-name.js';
import type { Page } from '../kernel/page.js';

export interface HoldView {
  readonly name: string;
  readonly state: 'placed' | 'lifted';
  readonly labels: Readonly<Record<string, string>>;
  readonly reason: string | null;
  readonly placedBy: string;
  readonly placedAt: string;
  readonly liftedBy: string | null;
  readonly liftedAt: string | null;
  /** The number of tasks that it caught and that are still held, up to `MOST_COUNTED`; null as of a moment. */
  readonly holds: number | null;
  /** Whether it forbids to erase what the tasks were about, and catches none. */
  readonly forbidsErasure: boolean;
  readonly revision: number;
  readonly position: string;
}

/** Null if no hold has the name. */
export class GetHold extends Query<HoldView | null> {
  constructor(readonly name: string) {
    super();
  }
}

/** The holds in force, by name. Throws `InvalidCursor`. */
export class ListHolds extends Query<Page<HoldView>> {
  constructor(
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

const MOST_COUNTED = 10_000;

type Row = Omit<HoldView, 'placedAt' | 'liftedAt' | 'holds'> & {
  readonly placedAt: Date;
  readonly liftedAt: Date | null;
  readonly holds: string;
};

const ROWS = `
  select h.name, h.state, h.labels, h.reason, h.placed_by as "placedBy", h.placed_at as "placedAt", h.lifted_by as "liftedBy",
    h.lifted_at as "liftedAt", h.forbids_erasure as "forbidsErasure", h.revision, h.position,
    (select count(*) from (select from tasks t where t.hold = h.name limit ${MOST_COUNTED}) as held) as holds
  from holds h`;

@QueryHandler(GetHold)
export class GetHoldHandler implements IQueryHandler<GetHold> {
  constructor(private readonly db: DataSource) {}

  async execute({ name }: GetHold): Promise<HoldView | null> {
    const [row] = await this.db.query<Row[]>(`${ROWS} where h.name = $1`, [name]);
    return row ? viewOf(row) : null;
  }
}

@QueryHandler(ListHolds)
export class ListHoldsHandler implements IQueryHandler<ListHolds> {
  constructor(private readonly db: DataSource) {}

  async execute(asked: ListHolds): Promise<Page<HoldView>> {
    const rowsAfter = (name: string, take: number) => this.rowsAfter(name, take);
    const { items, nextCursor } = await pageByName(asked, {
      list: 'holds',
      rowsAfter,
      nameOf: ({ name }: Row) => name,
    });
    return { items: items.map(viewOf), nextCursor };
  }

  private async rowsAfter(name: string, take: number): Promise<CutRows<Row>> {
    const text = `${ROWS} where h.state = 'placed' and h.name > $1 order by h.name limit $2`;
    return { rows: await this.db.query<Row[]>(text, [name, take]) };
  }
}

const viewOf = ({ placedAt, liftedAt, holds, ...row }: Row): HoldView => ({
  ...row,
  placedAt: placedAt.toISOString(),
  liftedAt: liftedAt?.toISOString() ?? null,
  holds: Number(holds),
});
