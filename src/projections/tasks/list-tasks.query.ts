import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { within } from '../kernel/internal-queues.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';
import { DecidedTasks } from './decided-tasks.js';
import type { Fragment } from '../kernel/fragment.js';
import { type SearchPlan, searchPlan } from './search/search-plan.js';
import { isOfFailures, termsOf } from './search/terms-of.js';
import { readTaskPage } from './task-rows.js';
import type { TaskSummary } from './task-view.js';
import type { TaskFilter } from './task-filter.js';
import { TaskEntity } from './task.entity.js';

export type { TaskFilter } from './task-filter.js';
import { isUuid } from '../../domain/kernel/patterns.js';

/** The rows of a list that one page looks at. */
export const MOST_LOOKED_AT = 20_000;

export type TaskPage = Page<TaskSummary>;

/** The last row of a page. The time is given in lists that are ordered by one. */
type PageEnd = readonly [taskId: string, time: string | null];

/**
 * Lists failed tasks by failure, latest first, and all others by id, which is the order of submission (or the reverse of it), or by their deadlines.
 * A page may have fewer than `limit`, even none, and go on: it looks at a bounded number of tasks. Throws `InvalidCursor`, `RefusedSearch`, and what
 * `DecidedTasks` does. In lists of failed tasks, a task that changes while somebody pages through may be missed or listed
 * twice.
 */
export class ListTasks extends Query<TaskPage> {
  constructor(
    readonly filter: TaskFilter,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListTasks)
export class ListTasksHandler implements IQueryHandler<ListTasks> {
  constructor(
    private readonly db: DataSource,
    private readonly decided: DecidedTasks,
  ) {}

  async execute({ filter, cursor, limit }: ListTasks): Promise<TaskPage> {
    const size = Math.min(limit, MOST_PER_PAGE);
    const after = cursor === null ? null : decodeCursor(filter, cursor, isPageEnd);
    const plan = await searchPlan(this.db, this.decided, filter);
    const end = await this.endOfLook(plan, filter, after);
    const chosen = filtered(this.from(filter, after), filter, plan).limit(size + 1);
    if (end !== null) bounded(chosen, filter, 'upTo', end);
    const found = await readTaskPage(this.db, inOrder(chosen, filter), (tasks) => inOrder(tasks, filter));
    const page = pageOf(found.rows, size, ({ row }) => encodeCursor(filter, pageEnd(filter, row)), found.isCut);
    const nextCursor = page.nextCursor ?? (end && encodeCursor(filter, end));
    return { nextCursor, items: page.items.map(({ summary }) => summary) };
  }

  /** Up to where a page looks that must look at its rows; null: the rest of the list. */
  private async endOfLook(plan: SearchPlan, filter: TaskFilter, after: PageEnd | null): Promise<PageEnd | null> {
    if (plan.among !== null || plan.checks.length === 0) return null;
    const rows = where(this.from(filter, after).select(ENDS), plan.walk);
    const last = await inOrder(rows, filter)
      .offset(MOST_LOOKED_AT - 1)
      .limit(1)
      .getOne();
    return last && pageEnd(filter, last);
  }

  /** The rows after the end of a page. */
  private from(filter: TaskFilter, after: PageEnd | null): SelectQueryBuilder<TaskEntity> {
    const rows = this.db.createQueryBuilder(TaskEntity, 't');
    return after === null ? rows : bounded(rows, filter, 'after', after);
  }
}

/** What the end of a page needs. */
const ENDS = ['t.taskId', 't.failedAt', 't.deadlineAt'];

/** The rows of the list, by its plan. */
export function filtered(
  rows: SelectQueryBuilder<TaskEntity>,
  filter: TaskFilter,
  { among, walk, checks }: SearchPlan,
): SelectQueryBuilder<TaskEntity> {
  if (filter.internal !== undefined) rows.andWhere(within('t.queue', filter));
  if (filter.overdue) rows.andWhere('t.overdue');
  if (filter.sort === 'deadline') rows.andWhere('t.deadlineAt is not null');
  if (among === null) return where(rows, [...walk, ...checks.map(lookedAt)]);
  rows.andWhere('t.taskId = any (cast(:among as uuid[]))', { among });
  return where(rows, [...walk, ...checks].map(lookedAt));
}

export function where(
  rows: SelectQueryBuilder<TaskEntity>,
  conditions: readonly Fragment[],
): SelectQueryBuilder<TaskEntity> {
  conditions.forEach((condition, at) => {
    const values: Record<string, unknown> = {};
    const bind = (value: unknown): string => {
      const name = `c${at}_${Object.keys(values).length}`;
      values[name] = value;
      return `:${name}`;
    };
    rows.andWhere(condition(bind), values);
  });
  return rows;
}

/** No index is used for it: the plan has chosen one, and knows how much it reads. */
const lookedAt =
  (condition: Fragment): Fragment =>
  (bind) =>
    `(${condition(bind)}) is true`;

/** A list in the order of a time of its tasks, which all of them have, or (null) of their ids. */
interface RowOrder {
  readonly column: 'failedAt' | 'deadlineAt' | null;
  readonly direction: 'ASC' | 'DESC';
}

function orderOf(filter: TaskFilter): RowOrder {
  if (filter.sort === 'deadline') return { column: 'deadlineAt', direction: 'ASC' };
  if (isOfFailures(termsOf(filter))) return { column: 'failedAt', direction: 'DESC' };
  return { column: null, direction: filter.sort === 'newest' ? 'DESC' : 'ASC' };
}

export function inOrder(rows: SelectQueryBuilder<TaskEntity>, filter: TaskFilter): SelectQueryBuilder<TaskEntity> {
  const { column, direction } = orderOf(filter);
  if (column === null) return rows.orderBy('t.taskId', direction);
  // Repeats the condition of the partial index, so that the planner can use the index.
  return rows.andWhere(`t.${column} is not null`).orderBy(`t.${column}`, direction).addOrderBy('t.taskId', direction);
}

function pageEnd(filter: TaskFilter, task: TaskEntity): PageEnd {
  const { column } = orderOf(filter);
  return [task.taskId, column && task[column]!.toISOString()];
}

/** Only the rows of the list after the row, or up to and including it. */
function bounded(
  rows: SelectQueryBuilder<TaskEntity>,
  filter: TaskFilter,
  bound: 'after' | 'upTo',
  [id, time]: PageEnd,
): SelectQueryBuilder<TaskEntity> {
  const { column, direction } = orderOf(filter);
  const isForward = (bound === 'after') === (direction === 'ASC');
  const than = `${isForward ? '>' : '<'}${bound === 'after' ? '' : '='}`;
  const [idOf, timeOf] = [`${bound}Id`, `${bound}Time`];
  if (column === null || time === null) return rows.andWhere(`t.taskId ${than} :${idOf}`, { [idOf]: id });
  return rows.andWhere(`(t.${column}, t.taskId) ${than} (:${timeOf}, :${idOf})`, { [timeOf]: time, [idOf]: id });
}

const isPageEnd = (end: readonly unknown[]): end is PageEnd =>
  end.length === 2 && isUuid(end[0]) && (end[1] === null || isTime(end[1]));

/** Rejects the year 0 and years of more than four digits, which JavaScript accepts and Postgres does not. */
const YEAR = /^(?!0000)\d{4}-/;

function isTime(value: unknown): boolean {
  if (typeof value !== 'string' || !YEAR.test(value)) return false;
  const ms = Date.parse(value);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === value;
}
