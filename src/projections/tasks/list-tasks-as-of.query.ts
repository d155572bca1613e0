import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { UUID } from '../../domain/kernel/patterns.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { decodePastCursor, encodePastCursor } from '../kernel/past-cursor.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { MOST_PER_PAGE } from '../kernel/page.js';
import { streamAsOf } from '../kernel/stream-as-of.js';
import { filtered, type TaskFilter, type TaskPage } from './list-tasks.query.js';
import { PastSearch, type PastSearchPlan } from './search/past-search.js';
import { rowConditions } from './search/search-plan.js';
import { PastBesides, type Surroundings } from './past-besides.js';
import { entityOf, type PastTask, pastTask } from './past-task.js';
import { KnownTaskEntity, type TaskEntity } from './task.entity.js';

/** A list as of a moment has the order of ids: the times by which other lists are ordered change later. */
export type PastTaskFilter = Omit<TaskFilter, 'sort'>;

/**
 * The tasks that matched then, by id. A page may have fewer than `limit`, even none, and go on: it looks at a bounded number of
 * tasks. Throws `InvalidCursor`, `HistoryNotReady`, `RefusedSearch`, `TooMuchToFold`, and `NotThereThen` if the queue did not exist.
 */
export class ListTasksAsOf extends Query<TaskPage> {
  constructor(
    readonly filter: PastTaskFilter,
    readonly moment: Moment,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

/** Rows that are read at once, histories that are folded at once, and the most rows that a page looks at. */
const SLICE = 1_000;
const FOLDED = 100;
const MOST_LOOKED_AT = 20_000;

@QueryHandler(ListTasksAsOf)
export class ListTasksAsOfHandler implements IQueryHandler<ListTasksAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly besides: PastBesides,
    private readonly searches: PastSearch,
  ) {}

  async execute({ filter, moment, cursor, limit }: ListTasksAsOf): Promise<TaskPage> {
    if (filter.queue !== undefined) await streamAsOf(this.past, queueStream(filter.queue), moment);
    const after = cursor === null ? null : decodePastCursor(filter, cursor, UUID);
    const { tasks, reached } = await this.look(filter, moment, after, Math.min(limit, MOST_PER_PAGE));
    const [known, items]: [Surroundings, TaskPage['items'][number][]] = [new Map(), []];
    for (const task of tasks) items.push(await this.besides.summaryOf(task, moment, known));
    const nextCursor = reached && encodePastCursor(filter, moment, reached);
    return { items, nextCursor };
  }

  /** Up to `size` tasks after an id. `reached`: the id up to which it looked; null if no more follow. */
  private async look(filter: PastTaskFilter, moment: Moment, after: string | null, size: number) {
    const tasks: PastTask[] = [];
    const plan = await this.searches.planOf(filter, moment);
    let reached = after;
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += SLICE) {
      const ids = plan.among && idsAfter(plan.among, reached);
      const rows = await this.rowsAfter({ filter, plan, moment }, reached, ids);
      for (let at = 0; at < rows.length; at += FOLDED) {
        const some = rows.slice(at, at + FOLDED).filter(plan.mayMatch);
        for (const task of await this.fold(some, moment)) {
          if (!plan.matched(entityOf(task.row))) continue;
          if (tasks.length === size) return { tasks, reached: tasks.at(-1)!.row.task_id };
          tasks.push(task);
        }
      }
      if ((ids ?? rows).length < SLICE) return { tasks, reached: null };
      reached = ids?.at(-1) ?? rows.at(-1)!.taskId;
    }
    return { tasks, reached };
  }

  /** The next tasks that existed, by what never changes of them. `ids`: of these. */
  private rowsAfter(
    { filter, plan, moment }: Looked,
    after: string | null,
    ids: readonly string[] | null,
  ): Promise<TaskEntity[]> {
    const { internal, key, reference, kind, label, batch } = filter;
    const fixed = { queue: plan.queue, internal, key, reference, kind, label, batch };
    const rows = filtered(this.db.createQueryBuilder(KnownTaskEntity, 't'), fixed, rowConditions(fixed));
    if (ids !== null) rows.andWhere('t.taskId = any (:ids::uuid[])', { ids });
    else if (after !== null) rows.andWhere('t.taskId > :after', { after });
    return rows
      .andWhere('t.seq <= :position', { position: String(moment.position) })
      .orderBy('t.taskId')
      .limit(SLICE)
      .getMany();
  }

  private async fold(rows: readonly TaskEntity[], { position }: Moment): Promise<readonly PastTask[]> {
    const streams = rows.map(({ taskId }) => taskStream(taskId));
    const histories = await this.past.historiesAt(streams, position);
    return rows.flatMap(({ taskId }, at) => pastTask(taskId, histories[at] as readonly Recorded<TaskEvent>[]) ?? []);
  }
}

interface Looked {
  readonly filter: PastTaskFilter;
  readonly plan: PastSearchPlan;
  readonly moment: Moment;
}

function idsAfter(ids: readonly string[], after: string | null): readonly string[] {
  const start = after === null ? 0 : firstAbove(ids, after);
  return ids.slice(start, start + SLICE);
}

/** By halves. */
function firstAbove(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! > id) high = middle;
    else low = middle + 1;
  }
  return low;
}
