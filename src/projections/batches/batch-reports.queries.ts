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
import { EventLog } from '../kernel/event-log.port.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';

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

/** The reports of a batch, the newest first; null if no batch has the id. Throws `InvalidCursor`. */
export class ListBatchReports extends Query<BatchReportPage | null> {
  constructor(
    readonly batch: string,
    /** The id of the task that delivers a report. */
    readonly deliveryIdOf: (batch: string, number: number, kind: ReportDelivery['kind']) => string,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

type ReportEvent = BatchEventOf<'BatchReported' | 'BatchTaskReported'>;

@QueryHandler(ListBatchReports)
export class ListBatchReportsHandler implements IQueryHandler<ListBatchReports> {
  constructor(
    private readonly log: EventLog,
    private readonly db: DataSource,
  ) {}

  async execute({ batch, cursor, limit, deliveryIdOf }: ListBatchReports): Promise<BatchReportPage | null> {
    const [history] = await this.log.readStreams([batchStream(batch)]);
    const events = history!.map(({ event }) => event as BatchEvent);
    const created = events.find((event) => event.type === 'BatchCreated');
    if (!created) return null;
    const size = Math.min(limit, MOST_PER_PAGE);
    const list = { list: 'batch-reports', batch };
    const before = cursor === null ? Infinity : Number(decodeCursor(list, cursor, isNumber)[0]);
    const chosen = events.filter(isReport).reverse();
    const { items, nextCursor } = pageOf(
      chosen.filter(({ data }) => data.number < before),
      size,
      (last) => encodeCursor(list, [String(last.data.number)]),
    );
    const kinds = kindsOf(created.data.reportTo);
    const ordered = items.map(({ data: { number } }) =>
      kinds.map((kind) => ({ kind, id: deliveryIdOf(batch, number, kind) })),
    );
    const states = await this.statesOf(ordered.flat().map(({ id }) => id));
    const deliveries = (at: number) => ordered[at]!.map((one) => ({ ...one, state: states.get(one.id) ?? null }));
    return { items: items.map((event, at) => viewOf(event, deliveries(at))), nextCursor };
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

const isReport = (event: BatchEvent): event is ReportEvent =>
  event.type === 'BatchReported' || event.type === 'BatchTaskReported';

const isNumber = (place: readonly unknown[]): place is readonly [string] =>
  place.length === 1 && typeof place[0] === 'string' && /^[1-9][0-9]{0,8}$/.test(place[0]);

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
