import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type EntityManager } from 'typeorm';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { TASK_STATUSES, type TaskEvent, type TaskStatus } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { inOneSnapshot } from '../kernel/one-snapshot.js';
import { type Moment, Past, TooMuchToFold } from '../kernel/past.port.js';
import { streamAsOf } from '../kernel/stream-as-of.js';
import { stateOf } from './past-task.js';

export type QueueTally = Readonly<Record<TaskStatus, number>>;

/** How many tasks of a queue were in each state. Throws `NotThereThen` and `TooMuchToFold`. */
export class TallyQueueAsOf extends Query<QueueTally> {
  constructor(
    readonly queue: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

/** Histories that are folded at once, and the most of one answer. */
const FOLDED = 500;
const MOST_FOLDED = 200_000;

/** Nothing has changed them since. */
const SAME =
  'select state, count(*)::float8 as tasks from known_tasks where queue = $1 and position <= $2 group by state';
const CHANGED = `select task_id as id from known_tasks where queue = $1 and seq <= $2 and position > $2 limit ${MOST_FOLDED} + 1`;

interface Counted {
  readonly state: TaskStatus;
  readonly tasks: number;
}

@QueryHandler(TallyQueueAsOf)
export class TallyQueueAsOfHandler implements IQueryHandler<TallyQueueAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  async execute({ queue, moment }: TallyQueueAsOf): Promise<QueueTally> {
    await streamAsOf(this.past, queueStream(queue), moment);
    // In one snapshot, so that a task that changes meanwhile is counted once.
    const { same, changed } = await inOneSnapshot(this.db, (db) => rowsIn(db, queue, moment));
    if (changed.length > MOST_FOLDED) throw new TooMuchToFold(MOST_FOLDED);
    const counts = new Map(same.map(({ state, tasks }) => [state, tasks]));
    for (let at = 0; at < changed.length; at += FOLDED)
      for (const state of await this.statesOf(changed.slice(at, at + FOLDED), moment))
        counts.set(state, (counts.get(state) ?? 0) + 1);
    return Object.fromEntries(TASK_STATUSES.map((state) => [state, counts.get(state) ?? 0])) as QueueTally;
  }

  private async statesOf(ids: readonly string[], { position }: Moment): Promise<readonly TaskStatus[]> {
    const histories = await this.past.historiesAt(ids.map(taskStream), position);
    return histories.flatMap((history) => stateOf(history as readonly Recorded<TaskEvent>[]) ?? []);
  }
}

async function rowsIn(db: EntityManager, queue: string, { position }: Moment) {
  const same = await db.query<Counted[]>(SAME, [queue, String(position)]);
  const changed = await db.query<{ id: string }[]>(CHANGED, [queue, String(position)]);
  return { same, changed: changed.map(({ id }) => id) };
}
