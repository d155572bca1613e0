import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { attendanceStream } from '../../domain/attendance/attendance.stream.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { type OfService, within } from '../kernel/internal-queues.js';
import type { PastView } from '../kernel/named-as-of.js';
import { namesIn, pageAsOf, type PastPageRequest } from '../kernel/page-as-of.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import { isThere } from '../kernel/queue-then.js';
import { RowsThen } from '../kernel/rows-then.port.js';
import { StatesThen } from '../kernel/states-then.port.js';
import { streamAsOf } from '../kernel/stream-as-of.js';
import { attendanceAfter } from './attendance-then.js';
import { queueStats } from './queue-stats.projection.js';
import {
  type Counted,
  type QueueStatsDetails,
  type QueueStatsPage,
  type QueueStatsView,
  viewOf,
  withFailures,
} from './queue-stats.queries.js';
import { StandingThen } from './standing-then.js';

/** The statistics of a queue as they were. Throws `NotThereThen`, also if it was deleted then, `HistoryNotReady` and `TooMuchToFold`. */
export class GetQueueStatsAsOf extends Query<PastView<QueueStatsDetails>> {
  constructor(
    readonly queue: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetQueueStatsAsOf)
export class GetQueueStatsAsOfHandler implements IQueryHandler<GetQueueStatsAsOf> {
  constructor(
    private readonly past: Past,
    private readonly rows: RowsThen,
    private readonly states: StatesThen,
    private readonly standing: StandingThen,
  ) {}

  async execute({ queue, moment }: GetQueueStatsAsOf): Promise<PastView<QueueStatsDetails>> {
    if (!isThere(await streamAsOf(this.past, queueStream(queue), moment))) throw new NotThereThen(null);
    const counted = await countedThen(this.rows, this.states, queue, moment);
    const { view, notRecorded } = (await viewsThen(this.past, [{ queue, counted }], moment))[0]!;
    const details = {
      ...view,
      longestRunMs: await this.standing.longestRunMs(queue, moment),
      overdue: await this.standing.overdue(queue, moment),
      ...withFailures(counted, await this.standing.failures(queue, moment)),
    };
    return { view: details, notRecorded };
  }
}

/** The statistics of the queues that there were, by name, without what would have to be read task by task. Throws `InvalidCursor` and `HistoryNotReady`. */
export class ListQueueStatsAsOf extends Query<PastView<QueueStatsPage>> {
  constructor(
    readonly page: PastPageRequest,
    readonly filter: OfService = {},
  ) {
    super();
  }
}

@QueryHandler(ListQueueStatsAsOf)
export class ListQueueStatsAsOfHandler implements IQueryHandler<ListQueueStatsAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly rows: RowsThen,
    private readonly states: StatesThen,
  ) {}

  async execute({ page, filter }: ListQueueStatsAsOf): Promise<PastView<QueueStatsPage>> {
    const { items, nextCursor } = await pageAsOf(this.past, page, {
      identity: { list: 'queue-stats', ...filter },
      namesAfter: namesIn(
        this.db,
        `(select * from queues where ${within('name', filter)})`,
        "status <> 'deleted'",
        page,
      ),
      streamOf: queueStream,
      isListed: isThere,
    });
    const queues: QueueThen[] = [];
    for (const { name: queue } of items)
      queues.push({ queue, counted: await countedThen(this.rows, this.states, queue, page.moment) });
    const seen = await viewsThen(this.past, queues, page.moment);
    const notRecorded = [...new Set(['longestRunMs', 'overdue', ...seen.flatMap((one) => one.notRecorded)])];
    return { view: { items: seen.map(({ view }) => view), nextCursor }, notRecorded };
  }
}

interface QueueThen {
  readonly queue: string;
  readonly counted: Counted;
}

async function countedThen(rows: RowsThen, states: StatesThen, queue: string, moment: Moment): Promise<Counted> {
  const counted = (await rows.of(queueStats, moment)).find((row) => row.queue === queue);
  return { ...counted, ...(await states.countsOf(queue, moment)) } as Counted;
}

/** No event tells since when a task could have been claimed. */
async function viewsThen(
  past: Past,
  queues: readonly QueueThen[],
  { position }: Moment,
): Promise<readonly PastView<QueueStatsView>[]> {
  const crossings = await past.historiesAt(
    queues.map(({ queue }) => attendanceStream(queue)),
    position,
  );
  return queues.map(({ queue, counted }, at) => {
    const { untold, lastPolledAt, unattended } = attendanceAfter(crossings[at]!);
    const view = viewOf({
      queue,
      counted,
      unattended,
      lastPolledAt: lastPolledAt === null ? null : new Date(lastPolledAt),
      oldestWaitingMs: null,
      longestRunMs: null,
      overdue: null,
      asOfPosition: String(position),
    });
    return { view, notRecorded: ['oldestWaitingMs', ...untold] };
  });
}
