import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { type Page, pageOf } from '../kernel/page.js';
import { Past } from '../kernel/past.port.js';
import { GROUP_ID } from './grouping.js';
import { type FailureGroupFilter, type GroupRow, GROUPS } from './failure-group-rows.js';
import { type FailureGroupSummary, summaryOf } from './failure-group-view.js';
import { messageOf, newestErrorsOf } from './failure-texts.js';

export type FailureGroupPage = Page<FailureGroupSummary>;

/** What comes first: what was seen last, or what most tasks or attempts failed with. */
export const GROUP_ORDERS = ['latest', 'most'] as const;
export type GroupOrder = (typeof GROUP_ORDERS)[number];

/** Each group of a page costs a look into the history of a task, whose payload may be large. */
const MOST_GROUPS = 100;

/**
 * Groups of failures, the newest or the largest first. Throws `InvalidCursor`. A group that fails while somebody pages through may
 * be missed or listed twice.
 */
export class ListFailureGroups extends Query<FailureGroupPage> {
  constructor(
    readonly filter: FailureGroupFilter,
    readonly order: GroupOrder,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

const ORDERS: Readonly<Record<GroupOrder, string>> = {
  latest: `(extract(epoch from g."lastSeenAt") * 1000)::float8`,
  most: 'greatest(g.tasks, g.attempts)',
};

const pageOfGroups = (order: GroupOrder): string => `
  select * from (select g.*, ${ORDERS[order]} as rank from (${GROUPS}) g) g
  where ($2::text is null or g.state = $2) and ($3::text is null or g.class = $3)
    and ($4::float8 is null or (g.rank, g."group") < ($4::float8, $5))
  order by g.rank desc, g."group" desc limit $6`;

type RankedRow = GroupRow & { readonly rank: number };
type PageEnd = readonly [rank: string, group: string];

@QueryHandler(ListFailureGroups)
export class ListFailureGroupsHandler implements IQueryHandler<ListFailureGroups> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  async execute({ filter, order, cursor, limit }: ListFailureGroups): Promise<FailureGroupPage> {
    const size = Math.min(limit, MOST_GROUPS);
    const list = { list: 'failure-groups', order, ...filter };
    const [rank, group] = cursor === null ? [null, null] : decodeCursor(list, cursor, isPageEnd);
    const { queue = null, state = null, class: ofClass = null } = filter;
    const found = await this.db.query<RankedRow[]>(pageOfGroups(order), [queue, state, ofClass, rank, group, size + 1]);
    const { items, nextCursor } = pageOf(found, size, (last) => encodeCursor(list, [String(last.rank), last.group]));
    const errors = await newestErrorsOf(this.past, items);
    return { items: items.map((row, at) => summaryOf(row, messageOf(errors[at]!))), nextCursor };
  }
}

const isPageEnd = (end: readonly unknown[]): end is PageEnd =>
  end.length === 2 && /^\d{1,15}(\.\d{1,6})?$/.test(String(end[0])) && GROUP_ID.test(String(end[1]));
