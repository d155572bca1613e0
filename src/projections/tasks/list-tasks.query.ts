import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import type { TaskStatus } from '../../domain/task/task.events.js';
import { type OfService, within } from '../kernel/internal-queues.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';
import { isRare } from '../kernel/rare-states.js';
import { candidatesOf } from './candidates.js';
import { type Decided, DecidedTasks } from './decided-tasks.js';
import { readTaskPage } from './task-rows.js';
import type { TaskSummary } from './task-view.js';
import { TaskEntity } from './task.entity.js';
import { isUuid } from '../../domain/kernel/patterns.js';

/** A task must match every given field. */
export interface TaskFilter extends OfService, Decided {
  readonly queue?: string;
  readonly state?: TaskStatus;
  readonly key?: string;
  readonly reference?: string;
  readonly kind?: string;
  readonly label?: { readonly name: string; readonly value: string };
  readonly worker?: string;
  /** The step that the task is in. */
  readonly step?: string;
  readonly batch?: string;
  /** True: only open tasks whose deadline has passed. */
  readonly overdue?: boolean;
  /** Only tasks with a deadline, the earliest first. */
  readonly sort?: 'deadline';
}

export type TaskPage = Page<TaskSummary>;

/** The last row of a page. The time is given in lists that are ordered by one. */
type PageEnd = readonly [taskId: string, time: string | null];

/**
 * Lists failed tasks by failure, latest first, and all others by id, which is the order of submission, or by their deadlines.
 * Throws `InvalidCursor`, and what `DecidedTasks` does. In lists of failed tasks, a task that changes while somebody pages through may be missed or listed
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
    const rows = this.db.createQueryBuilder(TaskEntity, 't');
    const decided = await this.decided.of(filter);
    const chosen = filtered(rows, filter, await candidatesOf(this.db, filter), decided).limit(size + 1);
    if (cursor !== null) goOn(chosen, filter, decodeCursor(filter, cursor, isPageEnd));
    const found = await readTaskPage(this.db, inOrder(chosen, filter), (tasks) => inOrder(tasks, filter));
    const page = pageOf(found.rows, size, ({ row }) => encodeCursor(filter, pageEnd(filter, row)), found.isCut);
    return { ...page, items: page.items.map(({ summary }) => summary) };
  }
}

/**
 * `candidates`: a query for the tasks among which those of the state are (`candidatesOf`), or null. `decided`: the ids of those that the
 * filter's version of the policy decided about (`DecidedTasks`), or null.
 */
export function filtered(
  rows: SelectQueryBuilder<TaskEntity>,
  filter: TaskFilter,
  candidates: string | null,
  decided: readonly string[] | null = null,
): SelectQueryBuilder<TaskEntity> {
  for (const column of ['queue', 'state', 'key', 'reference', 'kind', 'worker', 'batch'] as const) {
    if (filter[column] !== undefined) rows.andWhere(`t.${column} = :${column}`, { [column]: filter[column] });
  }
  if (filter.internal !== undefined) rows.andWhere(within('t.queue', filter));
  if (filter.overdue) rows.andWhere('t.overdue');
  if (filter.sort === 'deadline') rows.andWhere('t.deadlineAt is not null');
  if (filter.step !== undefined) rows.andWhere('t.step = :step and t.entered', { step: filter.step });
  if (filter.state !== undefined && isRare(filter.state)) rows.andWhere('t.rare_state = :state');
  if (candidates !== null) rows.andWhere(`t.taskId = any (array(${candidates}))`);
  if (decided !== null) rows.andWhere('t.taskId = any (cast(:decided as uuid[]))', { decided });
  if (filter.label) {
    rows.andWhere('t.labels @> :label', { label: JSON.stringify({ [filter.label.name]: filter.label.value }) });
  }
  return rows;
}

/** A list in the order of a time of its tasks. All of them have it. */
interface TimeOrder {
  readonly column: 'failedAt' | 'deadlineAt';
  readonly direction: 'ASC' | 'DESC';
}

/** Null: by id. */
function orderOf({ state, sort }: TaskFilter): TimeOrder | null {
  if (sort === 'deadline') return { column: 'deadlineAt', direction: 'ASC' };
  return state === 'failed' ? { column: 'failedAt', direction: 'DESC' } : null;
}

export function inOrder(rows: SelectQueryBuilder<TaskEntity>, filter: TaskFilter): SelectQueryBuilder<TaskEntity> {
  const order = orderOf(filter);
  if (order === null) return rows.orderBy('t.taskId', 'ASC');
  const { column, direction } = order;
  // Repeats the condition of the partial index, so that the planner can use the index.
  return rows.andWhere(`t.${column} is not null`).orderBy(`t.${column}`, direction).addOrderBy('t.taskId', direction);
}

function pageEnd(filter: TaskFilter, task: TaskEntity): PageEnd {
  const order = orderOf(filter);
  return [task.taskId, order && task[order.column]!.toISOString()];
}

function goOn(rows: SelectQueryBuilder<TaskEntity>, filter: TaskFilter, [taskId, time]: PageEnd): void {
  const order = orderOf(filter);
  if (order === null || time === null) return void rows.andWhere('t.taskId > :taskId', { taskId });
  const beyond = order.direction === 'ASC' ? '>' : '<';
  rows.andWhere(`(t.${order.column}, t.taskId) ${beyond} (:time, :taskId)`, { time, taskId });
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
