import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import { PRESENT_MS } from '../kernel/attendance.js';
import type { OfService } from '../kernel/internal-queues.js';
import type { PastView } from '../kernel/named-as-of.js';
import { MOST_PER_PAGE } from '../kernel/page.js';
import type { PastPageRequest } from '../kernel/page-as-of.js';
import { decodePastCursor, encodePastCursor } from '../kernel/past-cursor.js';
import { type ModelRow, RowsThen } from '../kernel/rows-then.port.js';
import { isRemembered, workerRoster } from './worker-roster.projection.js';
import type { WorkerPage, WorkerView } from './worker-roster.queries.js';

/**
 * Every worker that had claimed a task or reported on one within the week before, by name, with its work in the queues of the filter. Throws
 * `InvalidCursor` and `HistoryNotReady`.
 */
export class ListWorkersAsOf extends Query<PastView<WorkerPage>> {
  constructor(
    readonly page: PastPageRequest,
    readonly filter: OfService = {},
  ) {
    super();
  }
}

/** That a worker only asks for tasks is no event, nor what it offers, nor which of its handlers go on. */
const NOT_TOLD = ['state', 'stuck', 'offers'];

@QueryHandler(ListWorkersAsOf)
export class ListWorkersAsOfHandler implements IQueryHandler<ListWorkersAsOf> {
  constructor(private readonly rows: RowsThen) {}

  async execute({ page: { moment, cursor, limit }, filter }: ListWorkersAsOf): Promise<PastView<WorkerPage>> {
    const identity = { list: 'workers', ...filter };
    const after = cursor === null ? '' : decodePastCursor(identity, cursor);
    const at = Date.parse(moment.at);
    const listed = (row: ModelRow): boolean => isRemembered(row, at) && isWithin(String(row.queue), filter);
    const works = byWorker((await this.rows.of(workerRoster, moment)).filter(listed));
    const names = [...works.keys()].filter((name) => name > after).sort();
    const shown = names.slice(0, Math.min(limit, MOST_PER_PAGE));
    const nextCursor = shown.length < names.length ? encodePastCursor(identity, moment, shown.at(-1)!) : null;
    const items = shown.map((name) => viewThen(name, works.get(name)!, at));
    return { view: { items, nextCursor }, notRecorded: NOT_TOLD };
  }
}

const isWithin = (queue: string, { internal }: OfService): boolean =>
  internal === undefined || isReserved(queue) === internal;

/** The work of each in its queues, the queue first in which it was seen last. */
function byWorker(rows: readonly ModelRow[]): ReadonlyMap<string, readonly ModelRow[]> {
  const works = new Map<string, ModelRow[]>();
  for (const row of rows) works.set(String(row.worker), [...(works.get(String(row.worker)) ?? []), row]);
  for (const work of works.values()) work.sort((one, other) => orderOf(one, other));
  return works;
}

const orderOf = (one: ModelRow, other: ModelRow): number =>
  one.last_seen === other.last_seen
    ? String(one.queue) < String(other.queue)
      ? -1
      : 1
    : String(one.last_seen) < String(other.last_seen)
      ? 1
      : -1;

function viewThen(name: string, work: readonly ModelRow[], at: number): WorkerView {
  const sum = (column: string): number => work.reduce((total, row) => total + Number(row[column]), 0);
  const times = (column: string): readonly string[] => work.map((row) => String(row[column])).sort();
  const [running, lastSeenAt] = [sum('running'), times('last_seen').at(-1)!];
  return {
    name,
    server: String(work[0]!.server),
    build: work[0]!.build === null ? null : String(work[0]!.build),
    state: running > 0 || Date.parse(lastSeenAt) > at - PRESENT_MS ? 'alive' : 'gone',
    queues: work.map(({ queue }) => String(queue)).sort(),
    firstSeenAt: times('first_seen')[0]!,
    lastSeenAt,
    stuck: 0,
    offers: {},
    running,
    claimed: sum('claimed'),
    succeeded: sum('succeeded'),
    failed: sum('failed'),
    lost: sum('lost'),
    returned: sum('returned'),
  };
}
