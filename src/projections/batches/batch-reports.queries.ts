import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type {
  BatchCounts,
  BatchEvent,
  BatchEventOf,
  ReportedChange,
  ReportedTask,
} from '../../domain/batch/batch.events.js';
import type { ReportTarget } from '../../domain/batch/batch.policy.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { EventLog, type Recorded } from '../kernel/event-log.port.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';
import type { PastPageRequest } from '../kernel/page-as-of.js';
import { decodePastCursor, encodePastCursor } from '../kernel/past-cursor.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import { streamAsOf } from '../kernel/stream-as-of.js';
import { PastTasks } from '../kernel/past-tasks.js';

/** The task that delivers a report to one target. */
export interface ReportDelivery {
  readonly id: string;
  readonly kind: 'mail' | 'webhook';
  /** Null if it is not ordered yet. */
  readonly state: TaskStatus | null;
}

/** A task that a report names, and what it is called. */
type Named<Task extends ReportedTask> = Task & {
  /** The task's reference or, without one, its description. */
  readonly name?: string;
};

/** What a batch reported. */
export interface BatchReportView {
  readonly number: number;
  readonly at: string;
  /** `task`: one task that was run again after the batch's end. */
  readonly about: 'batch' | 'task';
  /** Null in a report about one task. */
  readonly counts: BatchCounts | null;
  readonly changes: readonly Named<ReportedChange>[];
  readonly more: number;
  readonly incomplete: readonly Named<ReportedTask>[];
  readonly deliveries: readonly ReportDelivery[];
}

export type BatchReportPage = Page<BatchReportView>;

type DeliveryIdOf = (batch: string, number: number, kind: ReportDelivery['kind']) => string;

/** The reports of a batch, the newest first; null if no batch has the id. Throws `InvalidCursor`. */
export class ListBatchReports extends Query<BatchReportPage | null> {
  constructor(
    readonly batch: string,
    /** The id of the task that delivers a report. */
    readonly deliveryIdOf: DeliveryIdOf,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

type ReportEvent = BatchEventOf<'BatchReported' | 'BatchTaskReported'>;

/** What a batch had reported by a moment. Throws `NotThereThen` and `InvalidCursor`. */
export class ListBatchReportsAsOf extends Query<BatchReportPage> {
  constructor(
    readonly batch: string,
    /** As in `ListBatchReports`. */
    readonly deliveryIdOf: DeliveryIdOf,
    readonly page: PastPageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListBatchReports)
export class ListBatchReportsHandler implements IQueryHandler<ListBatchReports> {
  constructor(
    private readonly log: EventLog,
    private readonly db: DataSource,
  ) {}

  async execute({ batch, cursor, limit, deliveryIdOf }: ListBatchReports): Promise<BatchReportPage | null> {
    const [history] = await this.log.readStreams([batchStream(batch)]);
    const list = { list: 'batch-reports', batch };
    const before = cursor === null ? Infinity : Number(decodeCursor(list, cursor, isNumber)[0]);
    const page = reportsIn(history!, before, limit, (number) => encodeCursor(list, [number]));
    return (
      page &&
      shown(
        page,
        (kind, number) => deliveryIdOf(batch, number, kind),
        (ids) => this.seen(ids),
      )
    );
  }

  private async seen(ids: readonly string[]): Promise<SeenTasks> {
    if (ids.length === 0) return new Map();
    const rows = await this.db.query<({ readonly task_id: string } & SeenTask)[]>(
      'select task_id, state, reference, description from known_tasks where task_id = any($1)',
      [ids],
    );
    return new Map(rows.map((row) => [row.task_id, row]));
  }
}

@QueryHandler(ListBatchReportsAsOf)
export class ListBatchReportsAsOfHandler implements IQueryHandler<ListBatchReportsAsOf> {
  constructor(
    private readonly past: Past,
    private readonly tasks: PastTasks,
  ) {}

  async execute({
    batch,
    deliveryIdOf,
    page: { moment, cursor, limit },
  }: ListBatchReportsAsOf): Promise<BatchReportPage> {
    const history = await streamAsOf(this.past, batchStream(batch), moment);
    const list = { list: 'batch-reports', batch };
    const before = cursor === null ? Infinity : Number(decodePastCursor(list, cursor, NUMBER));
    const page = reportsIn(history, before, limit, (number) => encodePastCursor(list, moment, number));
    if (page === null) throw new NotThereThen(null);
    return shown(
      page,
      (kind, number) => deliveryIdOf(batch, number, kind),
      (ids) => this.seen(ids, moment),
    );
  }

  private async seen(ids: readonly string[], moment: Moment): Promise<SeenTasks> {
    const found = await this.tasks.at(ids, moment);
    return new Map(ids.flatMap((id, at) => (found[at] ? [[id, found[at]]] : [])));
  }
}

/** What is asked of a task: of a delivery its state, of one that a report names what it is called. */
interface SeenTask {
  readonly state: TaskStatus;
  readonly reference: string | null;
  readonly description: string | null;
}

/** By the ids of the tasks. */
type SeenTasks = ReadonlyMap<string, SeenTask>;

interface ReportPage {
  readonly reports: Page<ReportEvent>;
  readonly kinds: readonly ReportDelivery['kind'][];
}

/** The reports before one, the newest first; null if the batch was not created. */
function reportsIn(
  history: readonly Recorded[],
  before: number,
  limit: number,
  cursorAfter: (number: string) => string,
): ReportPage | null {
  const events = history.map(({ event }) => event as BatchEvent);
  const created = events.find((event) => event.type === 'BatchCreated');
  if (!created) return null;
  const found = events.filter(isReport).reverse();
  const rest = found.filter(({ data }) => data.number < before);
  const reports = pageOf(rest, Math.min(limit, MOST_PER_PAGE), (last) => cursorAfter(String(last.data.number)));
  return { reports, kinds: kindsOf(created.data.reportTo) };
}

async function shown(
  { reports: { items, nextCursor }, kinds }: ReportPage,
  idOf: (kind: ReportDelivery['kind'], number: number) => string,
  see: (ids: readonly string[]) => Promise<SeenTasks>,
): Promise<BatchReportPage> {
  const ordered = items.map(({ data: { number } }) => kinds.map((kind) => ({ kind, id: idOf(kind, number) })));
  const seen = await see([...new Set([...ordered.flat().map(({ id }) => id), ...items.flatMap(tasksIn)])]);
  const deliveries = (at: number) => ordered[at]!.map((one) => ({ ...one, state: seen.get(one.id)?.state ?? null }));
  return { items: items.map((event, at) => viewOf(event, seen, deliveries(at))), nextCursor };
}

const isReport = (event: BatchEvent): event is ReportEvent =>
  event.type === 'BatchReported' || event.type === 'BatchTaskReported';

const NUMBER = /^[1-9][0-9]{0,8}$/;

const isNumber = (place: readonly unknown[]): place is readonly [string] =>
  place.length === 1 && typeof place[0] === 'string' && NUMBER.test(place[0]);

const kindsOf = (target: ReportTarget | undefined): readonly ReportDelivery['kind'][] =>
  (['mail', 'webhook'] as const).filter((kind) => target?.[kind] !== undefined);

const tasksIn = ({ type, data }: ReportEvent): readonly string[] =>
  (type === 'BatchReported' ? [...data.changes, ...data.incomplete] : [data]).map(({ task }) => task);

const MOST_CHARACTERS = 200;

function viewOf({ type, data }: ReportEvent, seen: SeenTasks, deliveries: readonly ReportDelivery[]): BatchReportView {
  const { number, at } = data;
  const named = <Task extends ReportedTask>(one: Task): Named<Task> => {
    const { reference = null, description = null } = seen.get(one.task) ?? {};
    const name = reference ?? description;
    return name === null ? one : { ...one, name: name.slice(0, MOST_CHARACTERS) };
  };
  if (type === 'BatchReported') {
    const { counts, more } = data;
    const [changes, incomplete] = [data.changes.map(named), data.incomplete.map(named)];
    return { number, at, about: 'batch', counts, changes, more, incomplete, deliveries };
  }
  const changes = [named({ task: data.task, state: data.state })];
  return { number, at, about: 'task', counts: null, changes, more: 0, incomplete: [], deliveries };
}
