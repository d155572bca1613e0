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

/** What a batch reported. */
export interface BatchReportView {
  readonly number: number;
  readonly at: string;
  /** `task`: one task that was run again after the batch's end. */
  readonly about: 'batch' | 'task';
  /** Null in a report about one task. */
  readonly counts: BatchCounts | null;
  readonly changes: readonly ReportedChange[];
  readonly more: number;
  readonly incomplete: readonly ReportedTask[];
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
    return page && withDeliveries(page, (kind, number) => deliveryIdOf(batch, number, kind), this.statesOf.bind(this));
  }

  private async statesOf(ids: readonly string[]): Promise<ReadonlyMap<string, TaskStatus>> {
    if (ids.length === 0) return new Map();
    const rows = await this.db.query<{ task_id: string; state: TaskStatus }[]>(
      'select task_id, state from known_tasks where task_id = any($1)',
      [ids],
    );
    return new Map(rows.map(({ task_id, state }) => [task_id, state]));
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
    return withDeliveries(
      page,
      (kind, number) => deliveryIdOf(batch, number, kind),
      (ids) => this.statesOf(ids, moment),
    );
  }

  private async statesOf(ids: readonly string[], moment: Moment): Promise<ReadonlyMap<string, TaskStatus>> {
    const found = await this.tasks.at(ids, moment);
    return new Map(ids.flatMap((id, at) => (found[at] ? [[id, found[at].state]] : [])));
  }
}

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

async function withDeliveries(
  { reports: { items, nextCursor }, kinds }: ReportPage,
  idOf: (kind: ReportDelivery['kind'], number: number) => string,
  statesOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, TaskStatus>>,
): Promise<BatchReportPage> {
  const ordered = items.map(({ data: { number } }) => kinds.map((kind) => ({ kind, id: idOf(kind, number) })));
  const states = await statesOf(ordered.flat().map(({ id }) => id));
  const deliveries = (at: number) => ordered[at]!.map((one) => ({ ...one, state: states.get(one.id) ?? null }));
  return { items: items.map((event, at) => viewOf(event, deliveries(at))), nextCursor };
}

const isReport = (event: BatchEvent): event is ReportEvent =>
  event.type === 'BatchReported' || event.type === 'BatchTaskReported';

const NUMBER = /^[1-9][0-9]{0,8}$/;

const isNumber = (place: readonly unknown[]): place is readonly [string] =>
  place.length === 1 && typeof place[0] === 'string' && NUMBER.test(place[0]);

const kindsOf = (target: ReportTarget | undefined): readonly ReportDelivery['kind'][] =>
  (['mail', 'webhook'] as const).filter((kind) => target?.[kind] !== undefined);

function viewOf({ type, data }: ReportEvent, deliveries: readonly ReportDelivery[]): BatchReportView {
  const { number, at } = data;
  if (type === 'BatchReported') {
    const { counts, changes, more, incomplete } = data;
    return { number, at, about: 'batch', counts, changes, more, incomplete, deliveries };
  }
  const { task, name, state } = data;
  const change = { task, ...(name !== undefined && { name }), state };
  return { number, at, about: 'task', counts: null, changes: [change], more: 0, incomplete: [], deliveries };
}
