import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import type { TaskStatus } from '../../domain/task/task.events.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';
import { readTasks, taskRows } from './task-rows.js';
import type { TaskSummary } from './task-view.js';
import type { TaskEntity } from './task.entity.js';

/** All of the given ones hold. */
export interface TaskFilter {
  readonly queue?: string;
  readonly state?: TaskStatus;
  readonly key?: string;
  readonly reference?: string;
  readonly kind?: string;
  readonly label?: { readonly name: string; readonly value: string };
  readonly worker?: string;
}

export type TaskPage = Page<TaskSummary>;

/** The last row of a page; the time in lists that are ordered by it. */
type PageEnd = readonly [taskId: string, failedAt: string | null];

/**
 * Failed tasks come latest failure first, all others by id, which is the order they were submitted in. Throws
 * `InvalidCursor`. A task that changes while its list is paged through may be missed or met again only in failed lists.
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
  constructor(private readonly db: DataSource) {}

  async execute({ filter, cursor, limit }: ListTasks): Promise<TaskPage> {
    const size = Math.min(limit, MOST_PER_PAGE);
    const rows = filtered(taskRows(this.db), filter).limit(size + 1);
    if (cursor !== null) goOn(rows, decodeCursor(filter, cursor, isPageEnd));
    const found = await readTasks(inOrder(rows, filter));
    const page = pageOf(found, size, ({ row }) => encodeCursor(filter, pageEnd(filter, row)));
    return { ...page, items: page.items.map(({ summary }) => summary) };
  }
}

function filtered(rows: SelectQueryBuilder<TaskEntity>, filter: TaskFilter): SelectQueryBuilder<TaskEntity> {
  for (const column of ['queue', 'state', 'key', 'reference', 'kind', 'worker'] as const) {
    if (filter[column] !== undefined) rows.andWhere(`t.${column} = :${column}`, { [column]: filter[column] });
  }
  if (filter.label) {
    rows.andWhere('t.labels @> :label', { label: JSON.stringify({ [filter.label.name]: filter.label.value }) });
  }
  return rows;
}

const byFailure = ({ state }: TaskFilter): boolean => state === 'failed';

function inOrder(rows: SelectQueryBuilder<TaskEntity>, filter: TaskFilter): SelectQueryBuilder<TaskEntity> {
  if (!byFailure(filter)) return rows.orderBy('t.taskId', 'ASC');
  // The condition repeats that of the partial index, so that the planner may use it.
  return rows.andWhere('t.failedAt is not null').orderBy('t.failedAt', 'DESC').addOrderBy('t.taskId', 'DESC');
}

const pageEnd = (filter: TaskFilter, { taskId, failedAt }: TaskEntity): PageEnd => [
  taskId,
  byFailure(filter) ? failedAt!.toISOString() : null,
];

function goOn(rows: SelectQueryBuilder<TaskEntity>, [taskId, failedAt]: PageEnd): void {
  if (failedAt) rows.andWhere('(t.failedAt, t.taskId) < (:failedAt, :taskId)', { failedAt, taskId });
  else rows.andWhere('t.taskId > :taskId', { taskId });
}

const isPageEnd = (end: readonly unknown[]): end is PageEnd =>
  end.length === 2 && isUuid(end[0]) && (end[1] === null || isTime(end[1]));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);

/** The year 0 is one to JavaScript only, and so is a year of more than four digits, as JavaScript writes it. */
const YEAR = /^(?!0000)\d{4}-/;

function isTime(value: unknown): boolean {
  if (typeof value !== 'string' || !YEAR.test(value)) return false;
  const ms = Date.parse(value);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === value;
}
