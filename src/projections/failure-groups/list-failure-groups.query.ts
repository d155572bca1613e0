import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { type Fragment, numbered } from '../kernel/fragment.js';
import { type Page, pageOf } from '../kernel/page.js';
import { Past } from '../kernel/past.port.js';
import { GROUP_ID } from '../../domain/task/failures.events.js';
import {
  type Counted,
  countedIn,
  type FailureGroupFilter,
  type GroupRow,
  groupRows,
  withLatest,
} from './failure-group-rows.js';
import { type FailureGroupSummary, summaryOf } from './failure-group-view.js';
import { errorsOf } from './failure-texts.js';

export type FailureGroupPage = Page<FailureGroupSummary>;

/** What comes first: what was seen last, or what most tasks or attempts failed with. */
export const GROUP_ORDERS = ['latest', 'most'] as const;
export type GroupOrder = (typeof GROUP_ORDERS)[number];

/** Each group of a page costs a look into the history of a task, whose payload may be large. */
export const MOST_GROUPS = 100;

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

/** What groups are ordered by, as a number, and such a number as that again. */
interface Rank {
  readonly by: (of: Counted) => string;
  readonly number: (by: string) => string;
  readonly from: (number: string) => string;
}

/** Only the first order has an index: the other one reads all groups, of which a list of causes has thousands at most. */
const RANKS: Readonly<Record<GroupOrder, Rank>> = {
  latest: {
    by: (of) => `${of}.last_at`,
    number: (by) => `(extract(epoch from ${by}) * 1000)::float8`,
    from: (number) => `to_timestamp(${number}::float8 / 1000)`,
  },
  most: {
    by: (of) => `greatest(${of}.tasks, ${of}.attempts)`,
    number: (by) => `${by}::float8`,
    from: (number) => `${number}::float8`,
  },
};

/** Up to `most` groups, after the end of the page before, if there is one. */
function pageOfGroups(filter: FailureGroupFilter, order: GroupOrder, end: PageEnd | null, most: number): Fragment {
  const of = countedIn(filter.queue);
  const { by, number, from } = RANKS[order];
  const after = ([rank, group]: PageEnd): Fragment => {
    return (bind) => `(${by(of)}, ${of}.group_id) < (${from(bind(rank))}, ${bind(group)})`;
  };
  const rows = groupRows(filter, { also: `, ${number(by(of))} as rank`, where: end === null ? [] : [after(end)] });
  const page: Fragment = (bind) => `${rows(bind)} order by ${by(of)} desc, ${of}.group_id desc limit ${bind(most)}`;
  return (bind) => `${withLatest(page, filter.queue)(bind)} order by g.rank desc, g."group" desc`;
}

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
    const end = cursor === null ? null : decodeCursor(list, cursor, isPageEnd);
    const [sql, values] = numbered(pageOfGroups(filter, order, end, size + 1));
    const found = await this.db.query<RankedRow[]>(sql, [...values]);
    const { items, nextCursor } = pageOf(found, size, (last) => encodeCursor(list, [String(last.rank), last.group]));
    const errors = await errorsOf(this.past, items);
    return { items: items.map((row, at) => summaryOf(row, errors[at]!)), nextCursor };
  }
}

const isPageEnd = (end: readonly unknown[]): end is PageEnd =>
  end.length === 2 && /^\d{1,15}(\.\d{1,6})?$/.test(String(end[0])) && GROUP_ID.test(String(end[1]));
