import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import { streamAsOf } from '../kernel/stream-as-of.js';
import { isThere } from '../kernel/queue-then.js';
import { defaultsIn, PastQueues } from './past-queues.js';
import type { QueueView } from './queues.queries.js';

export interface PastQueueView {
  readonly view: QueueView;
  /** The fields of the policy that no event had then, and that are shown with their defaults of today. */
  readonly notRecorded: readonly string[];
}

/** A queue as it was. Throws `NotThereThen`, also if it was deleted then. */
export class GetQueueAsOf extends Query<PastQueueView> {
  constructor(
    readonly name: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetQueueAsOf)
export class GetQueueAsOfHandler implements IQueryHandler<GetQueueAsOf> {
  constructor(
    private readonly past: Past,
    private readonly queues: PastQueues,
  ) {}

  async execute({ name, moment }: GetQueueAsOf): Promise<PastQueueView> {
    const history = await streamAsOf(this.past, queueStream(name), moment);
    if (!isThere(history)) throw new NotThereThen(null);
    const [view] = await this.queues.viewsOf([history], moment);
    return { view: view!, notRecorded: defaultsIn(history) };
  }
}
