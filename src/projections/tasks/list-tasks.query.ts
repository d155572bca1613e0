import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { decodeCursor, encodeCursor, type PageEnd } from './cursor.js';
import type { TaskStateName } from './task-row-change.js';
import { readTasks, taskRows } from './task-rows.js';
import type { TaskSummary } from './task-view.js';
import type { TaskEntity } from './task.entity.js';

/** All of the given ones hold. */
export interface TaskFilter {
  readonly queue?: string;
  readonly state?: TaskStateName;
  readonly key?: string;
  readonly reference?: string;
  readonly kind?: string;
  readonly label?: { readonly name: string; readonly value: string };
  readonly worker?: string;
}

export interface TaskPage {
  readonly items: readonly TaskSummary[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

export const MOST_TASKS_PER_PAGE = 500;

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
    const size = Math.min(limit, MOST_TASKS_PER_PAGE);
    const rows = filtered(taskRows(this.db), filter).limit(size + 1);
    if (cursor !== null) goOn(rows, decodeCursor(filter, cursor));
    const found = await readTasks(inOrder(rows, filter));
    const last = found.length > size ? found[size - 1]! : null;
    return {
      items: found.slice(0, size).map(({ summary }) => summary),
      nextCursor: last && encodeCursor(filter, { taskId: last.row.taskId, failedAt: lastFailure(filter, last.row) }),
    };
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

const lastFailure = (filter: TaskFilter, row: TaskEntity): string | null =>
  byFailure(filter) ? row.failedAt!.toISOString() : null;

function goOn(rows: SelectQueryBuilder<TaskEntity>, { taskId, failedAt }: PageEnd): void {
  if (failedAt) rows.andWhere('(t.failedAt, t.taskId) < (:failedAt, :taskId)', { failedAt, taskId });
  else rows.andWhere('t.taskId > :taskId', { taskId });
}
