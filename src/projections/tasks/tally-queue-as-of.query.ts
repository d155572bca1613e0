import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { StatesThen } from '../kernel/states-then.port.js';
import { streamAsOf } from '../kernel/stream-as-of.js';

export type QueueTally = Readonly<Record<TaskStatus, number>>;

/** How many tasks of a queue were in each state. Throws `NotThereThen` and `HistoryNotReady`. */
export class TallyQueueAsOf extends Query<QueueTally> {
  constructor(
    readonly queue: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(TallyQueueAsOf)
export class TallyQueueAsOfHandler implements IQueryHandler<TallyQueueAsOf> {
  constructor(
    private readonly past: Past,
    private readonly states: StatesThen,
  ) {}

  async execute({ queue, moment }: TallyQueueAsOf): Promise<QueueTally> {
    await streamAsOf(this.past, queueStream(queue), moment);
    const counts = await this.states.countsOf(queue, moment);
    return Object.fromEntries(TASK_STATUSES.map((state) => [state, counts[state] ?? 0])) as QueueTally;
  }
}
