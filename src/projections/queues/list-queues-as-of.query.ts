import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { type OfService, within } from '../kernel/internal-queues.js';
import { namesIn, pageAsOf, type PastPageRequest } from '../kernel/page-as-of.js';
import { Past } from '../kernel/past.port.js';
import { isThere } from '../kernel/queue-then.js';
import { defaultsIn, PastQueues } from './past-queues.js';
import type { QueuePage } from './queues.queries.js';

export interface PastQueuePage {
  readonly view: QueuePage;
  /** As of one queue, of any of them. */
  readonly notRecorded: readonly string[];
}

/** The queues that there were, by name. Throws `InvalidCursor`. */
export class ListQueuesAsOf extends Query<PastQueuePage> {
  constructor(
    readonly page: PastPageRequest,
    readonly filter: OfService = {},
  ) {
    super();
  }
}

@QueryHandler(ListQueuesAsOf)
export class ListQueuesAsOfHandler implements IQueryHandler<ListQueuesAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly queues: PastQueues,
  ) {}

  async execute({ page, filter }: ListQueuesAsOf): Promise<PastQueuePage> {
    const { items, nextCursor } = await pageAsOf(this.past, page, {
      identity: { list: 'queues', ...filter },
      namesAfter: namesIn(
        this.db,
        `(select * from queues where ${within('name', filter)})`,
        "status <> 'deleted'",
        page,
      ),
      streamOf: queueStream,
      isListed: isThere,
    });
    const histories = items.map(({ history }) => history);
    const notRecorded = [...new Set(histories.flatMap(defaultsIn))];
    return { view: { items: await this.queues.viewsOf(histories, page.moment), nextCursor }, notRecorded };
  }
}
