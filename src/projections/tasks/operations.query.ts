import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { isUuid } from '../../domain/kernel/patterns.js';
import type { Json } from '../../domain/kernel/json.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { EventLog } from '../kernel/event-log.port.js';
import type { Page } from '../kernel/page.js';
import type { ProgressBar } from '../kernel/progress.js';
import { contentOf, withDetails } from './get-task.query.js';
import { type FoundTask, knownTaskRows, readTasks } from './task-rows.js';

/** The queues whose tasks are bulk operations. */
export const OPERATION_QUEUES = ['waybill.operations', 'waybill.queue-deletions'];

/** A command that somebody gave to many tasks. */
export interface OperationView {
  readonly id: string;
  /** A hold pauses it. */
  readonly state: TaskStatus;
  readonly command: string;
  readonly by: string;
  readonly reason: string | null;
  readonly orderedAt: string;
  readonly finishedAt: string | null;
  /** How many tasks matched when it was ordered. Of an erased order: how many were asked. */
  readonly expected: number;
  /** The payload of its task: command, selection and options. Null if it is erased. */
  readonly order: Json;
  readonly progress: readonly ProgressBar[];
  /** What has become of it, also while it is under way and after it was stopped; null before its first tasks. */
  readonly result: Json;
  /** What its canary decided. */
  readonly canary: Json;
  /** Why it failed. */
  readonly error: string | null;
}

/** What the tasks that have the command are now. */
export interface Became {
  readonly succeeded: number;
  /** Those that failed, or wait for a decision after they did. */
  readonly failed: number;
  readonly open: number;
  /** Those that were cancelled, aborted, superseded or deleted. */
  readonly ended: number;
  /** The groups in which those that failed did so last, the largest first, as far as the read model of the groups knows them. */
  readonly groups: readonly FailedGroup[];
}

export interface FailedGroup {
  readonly group: string;
  /** How many of the tasks are in it. */
  readonly failed: number;
}

export interface OperationFilter {
  readonly actor?: string;
  readonly command?: string;
  readonly state?: TaskStatus;
  /** From this time on, and up to this time. */
  readonly since?: string;
  readonly until?: string;
}

/** Lists bulk operations, the newest first. A page looks at a bounded number of them, so it may be empty and others follow. Throws `InvalidCursor`. */
export class ListOperations extends Query<Page<OperationView>> {
  constructor(
    readonly filter: OperationFilter,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

/** Null if no operation has the id. `became` is null if it is not known which tasks have the command. */
export class GetOperation extends Query<(OperationView & { readonly became: Became | null }) | null> {
  constructor(readonly id: string) {
    super();
  }
}

/** Operations that are read together, and how often a page does so. */
const READ_AT_ONCE = 100;
const MOST_READS = 10;

const IDS = `select task_id as id from known_tasks
  where queue = any ($1) and ($2::uuid is null or task_id < $2) and ($3::text is null or kind = $3)
    and ($4::text is null or state = $4) and ($5::timestamptz is null or enqueued_at >= $5)
    and ($6::timestamptz is null or enqueued_at <= $6)
  order by task_id desc limit ${READ_AT_ONCE}`;

const BECAME = `select k.state, count(*)::int as count
  from operation_tasks o cross join lateral unnest(o.tasks) as t(id) join known_tasks k on k.task_id = t.id
  where o.operation = $1 group by k.state`;

/** The most groups of failures that one answer names. */
const MOST_GROUPS = 20;

const GROUPS = `select f.group_id as "group", count(*)::int as failed
  from operation_tasks o cross join lateral unnest(o.tasks) as t(id) join known_tasks k on k.task_id = t.id
    join failed_tasks f on f.task_id = t.id
  where o.operation = $1 and k.state = any ($2) group by 1 order by 2 desc, 1 limit ${MOST_GROUPS}`;

const RESULTS = `select task_id as id, checkpoint->'result' as result from bulk_checkpoints where task_id = any ($1)`;

@QueryHandler(ListOperations)
export class ListOperationsHandler implements IQueryHandler<ListOperations> {
  constructor(
    private readonly db: DataSource,
    private readonly log: EventLog,
  ) {}

  async execute({ filter, cursor, limit }: ListOperations): Promise<Page<OperationView>> {
    const list = { list: 'operations', ...filter };
    let last = cursor === null ? null : decodeCursor(list, cursor, isEnd)[0];
    const items: OperationView[] = [];
    for (let reads = 0; reads < MOST_READS; reads++) {
      const ids = await this.idsAfter(last, filter);
      for (const view of await operations(this.db, this.log, ids)) {
        if (items.length === limit) return { items, nextCursor: encodeCursor(list, [items.at(-1)!.id]) };
        if (filter.actor === undefined || view.by === filter.actor) items.push(view);
      }
      if (ids.length < READ_AT_ONCE) return { items, nextCursor: null };
      last = ids.at(-1)!;
    }
    return { items, nextCursor: encodeCursor(list, [last]) };
  }

  private async idsAfter(last: string | null, filter: OperationFilter): Promise<readonly string[]> {
    const { command = null, state = null, since = null, until = null } = filter;
    const found = await this.db.query<{ id: string }[]>(IDS, [OPERATION_QUEUES, last, command, state, since, until]);
    return found.map(({ id }) => id);
  }
}

@QueryHandler(GetOperation)
export class GetOperationHandler implements IQueryHandler<GetOperation> {
  constructor(
    private readonly db: DataSource,
    private readonly log: EventLog,
  ) {}

  async execute({ id }: GetOperation) {
    const [view] = await operations(this.db, this.log, [id]);
    if (!view) return null;
    return { ...view, became: await this.becameOf(id) };
  }

  private async becameOf(id: string): Promise<Became | null> {
    const states = await this.db.query<{ state: TaskStatus; count: number }[]>(BECAME, [id]);
    if (states.length === 0) return null;
    const counts = countsOf(states);
    const groups = counts.failed === 0 ? [] : await this.db.query<FailedGroup[]>(GROUPS, [id, FAILED]);
    return { ...counts, groups };
  }
}

/** The operations of these ids, in their order. */
async function operations(db: DataSource, log: EventLog, ids: readonly string[]): Promise<readonly OperationView[]> {
  if (ids.length === 0) return [];
  const rows = knownTaskRows(db).where('t.taskId in (:...ids) and t.queue in (:...queues)', {
    ids,
    queues: OPERATION_QUEUES,
  });
  const found = new Map((await readTasks(rows)).map((one) => [one.row.taskId, one]));
  const known = ids.filter((id) => found.has(id));
  const saved = await db.query<{ id: string; result: Json }[]>(RESULTS, [known]);
  const results = new Map(saved.map(({ id, result }) => [id, result]));
  const histories = await log.readStreams(known.map(taskStream));
  return known.map((id, at) => viewOf(found.get(id)!, histories[at]!, results.get(id) ?? null));
}

function viewOf({ row, summary, progress }: FoundTask, history: Parameters<typeof contentOf>[0], saved: Json) {
  const events = history.filter(({ revision }) => revision <= row.revision);
  const { payload, result, data } = contentOf(events);
  const { envelope, recordedAt: orderedAt } = events[0]!;
  const known = result ?? saved;
  const error = withDetails(summary.error, events);
  return {
    id: row.taskId,
    state: summary.state,
    command: row.kind,
    by: envelope.actor,
    reason: envelope.reason ?? null,
    orderedAt,
    finishedAt: summary.finishedAt,
    expected: expectedIn(payload) ?? (known as { readonly asked?: number } | null)?.asked ?? 0,
    order: payload,
    progress: progress?.bars ?? [],
    result: known,
    canary: data['canary'] ?? null,
    error: error?.message ?? null,
  };
}

/** An erased order says nothing. */
const expectedIn = (order: Json): number | undefined => (order as { readonly expected?: number } | null)?.expected;

const FAILED: readonly TaskStatus[] = ['failed', 'undecided'];
const OPEN: readonly TaskStatus[] = ['prepared', 'pending', 'held', 'running'];
const ENDED: readonly TaskStatus[] = ['cancelled', 'aborted', 'superseded', 'deleted'];

function countsOf(states: readonly { readonly state: TaskStatus; readonly count: number }[]): Omit<Became, 'groups'> {
  const of = (some: readonly TaskStatus[]): number =>
    states.reduce((sum, { state, count }) => (some.includes(state) ? sum + count : sum), 0);
  return { succeeded: of(['succeeded']), failed: of(FAILED), open: of(OPEN), ended: of(ENDED) };
}

const isEnd = (end: readonly unknown[]): end is readonly [string] => end.length === 1 && isUuid(end[0]);
