import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { TaskStatus } from '../../domain/task/task.events.js';

/** How many tasks of a batch are in a state of a queue, and which step they completed last. */
export interface BatchTally {
  readonly queue: string;
  readonly step: string | null;
  readonly state: TaskStatus;
  /** The state in the words of the queue. */
  readonly stateName: string;
  readonly tasks: number;
}

/** The most lines of one answer, which a batch exceeds only with hundreds of queues. */
export const MOST_TALLY_LINES = 1_000;

/** Counts the tasks of a batch by queue, step and state; null if no batch has the id. */
export class TallyBatch extends Query<readonly BatchTally[] | null> {
  constructor(readonly batch: string) {
    super();
  }
}

@QueryHandler(TallyBatch)
export class TallyBatchHandler implements IQueryHandler<TallyBatch> {
  constructor(private readonly db: DataSource) {}

  async execute({ batch }: TallyBatch): Promise<readonly BatchTally[] | null> {
    const rows = await this.db.query<(BatchTally & { readonly known: boolean })[]>(
      `select t.queue, t.last_step as step, t.state, coalesce(q.policy->'vocabulary'->>t.state, t.state) as "stateName", t.tasks
       from (select queue, last_step, state, count(*)::int as tasks from known_tasks where batch = $1 group by queue, last_step, state) t
         left join queues q on q.name = t.queue
       order by t.queue, t.last_step nulls first, t.state limit $2`,
      [batch, MOST_TALLY_LINES],
    );
    if (rows.length > 0) return rows;
    const [known] = await this.db.query<unknown[]>('select from batches where id = $1', [batch]);
    return known ? [] : null;
  }
}
