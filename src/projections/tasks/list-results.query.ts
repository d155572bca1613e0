import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { ByteBudget, roughBytes } from '../../domain/kernel/byte-budget.js';
import type { Json } from '../../domain/kernel/json.js';
import { isUuid } from '../../domain/kernel/patterns.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { EventLog } from '../kernel/event-log.port.js';
import { type Page, pageOf } from '../kernel/page.js';
import { contentOf } from './get-task.query.js';

/** What a task waited for, and what that came to. */
export interface PrerequisiteResult {
  readonly id: string;
  readonly is: 'task' | 'batch';
  readonly state: string;
  /** Null of a batch, and so are the next three. */
  readonly queue: string | null;
  readonly kind: string | null;
  readonly key: string | null;
  /** Of a batch: its name. */
  readonly reference: string | null;
  /** What a task reported with its success; null of everything else. */
  readonly result: Json;
}

/** The results of what a task waits or waited for, by id; null if no task has the id. Throws `InvalidCursor`. */
export class ListResults extends Query<Page<PrerequisiteResult> | null> {
  constructor(
    readonly task: string,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

type Row = Omit<PrerequisiteResult, 'result'>;

const ROWS = `select p.needs as id, case when b.id is null then 'task' else 'batch' end as "is", coalesce(t.state, b.state) as state,
    t.queue, t.kind, t.key, coalesce(t.reference, b.name) as reference
  from prerequisites p left join known_tasks t on t.task_id = p.needs left join batches b on b.id = p.needs
  where p.task_id = $1 and ($2::uuid is null or p.needs > $2) order by p.needs limit $3`;

const THERE = 'select from known_tasks where task_id = $1';

@QueryHandler(ListResults)
export class ListResultsHandler implements IQueryHandler<ListResults> {
  constructor(
    private readonly db: DataSource,
    private readonly log: EventLog,
  ) {}

  async execute({ task, cursor, limit }: ListResults): Promise<Page<PrerequisiteResult> | null> {
    const list = { resultsOf: task };
    const after = cursor === null ? null : decodeCursor(list, cursor, isEnd)[0];
    const rows = await this.db.query<Row[]>(ROWS, [task, after, limit + 1]);
    if (rows.length === 0 && (await this.db.query<object[]>(THERE, [task])).length === 0) return null;
    const { items, isCut } = await this.withResults(rows.slice(0, limit));
    const found = isCut ? items : [...items, ...rows.slice(limit).map((row) => ({ ...row, result: null }))];
    return pageOf(found, limit, ({ id }) => encodeCursor(list, [id]), isCut);
  }

  /** As many as have the bytes of a step, and at least one. A store may read more histories than that. */
  private async withResults(rows: readonly Row[]): Promise<{ items: PrerequisiteResult[]; isCut: boolean }> {
    const succeeded = rows.filter(hasResult).map(({ id }) => id);
    const histories = await this.log.readFirst(succeeded.map(taskStream));
    const budget = new ByteBudget();
    const results = new Map<string, Json>();
    for (const [at, events] of histories.entries()) {
      const { result } = contentOf(events);
      if (!budget.take(roughBytes(result))) break;
      results.set(succeeded[at]!, result);
    }
    const end = rows.findIndex((row) => hasResult(row) && !results.has(row.id));
    const shown = end < 0 ? rows : rows.slice(0, end);
    return { items: shown.map((row) => ({ ...row, result: results.get(row.id) ?? null })), isCut: end >= 0 };
  }
}

const hasResult = ({ is, state }: Row): boolean => is === 'task' && state === 'succeeded';

const isEnd = (end: readonly unknown[]): end is readonly [string] => end.length === 1 && isUuid(end[0]);
