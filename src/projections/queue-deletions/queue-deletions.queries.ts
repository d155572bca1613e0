import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';

/** What a deletion of the queue would delete, and what is in its way. */
export interface QueueOutlook {
  readonly tasks: number;
  readonly running: number;
  readonly awaitedBy: string | null;
  readonly awaitedByQueue: string | null;
}

export class GetQueueOutlook extends Query<QueueOutlook> {
  constructor(readonly queue: string) {
    super();
  }
}

/** Some of the tasks that the queue still has, also in the archive, latest first, so that a task comes before those that it waits for. */
export class ListRemainingTasks extends Query<readonly string[]> {
  constructor(
    readonly queue: string,
    /** Only those before this one. */
    readonly before: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

/** The tasks of the queue that run. */
export class ListRunningTasks extends Query<readonly string[]> {
  constructor(readonly queue: string) {
    super();
  }
}

export class CountRunningTasks extends Query<number> {
  constructor(readonly queue: string) {
    super();
  }
}

/** Unfinished tasks of other queues, which would wait for ever. */
const AWAITING = `select p.task_id from known_tasks t join prerequisites p on p.needs = t.task_id and not p.closed
    join known_tasks d on d.task_id = p.task_id
  where t.queue = $1 and t.awaited and t.state <> 'deleted' and d.queue <> $1
    and d.state not in ('succeeded', 'superseded', 'aborted', 'deleted') limit 1`;

const RUNNING = 'select task_id as id from task_leases where queue = $1';

const COUNT_OF_RUNNING = `select count(*)::int as count from (${RUNNING}) as r`;

const OUTLOOK = `select
  (select count(*)::int from known_tasks where queue = $1 and state <> 'deleted') as tasks,
  (${COUNT_OF_RUNNING}) as running,
  (${AWAITING}) as "awaitedBy",
  (select name from queues where status <> 'deleted' and policy->'waitsFor' ? $1 limit 1) as "awaitedByQueue"`;

@QueryHandler(GetQueueOutlook)
export class GetQueueOutlookHandler implements IQueryHandler<GetQueueOutlook> {
  constructor(private readonly db: DataSource) {}

  async execute({ queue }: GetQueueOutlook): Promise<QueueOutlook> {
    const [outlook] = await this.db.query<[QueueOutlook]>(OUTLOOK, [queue]);
    return outlook;
  }
}

const REMAINING = `select task_id as id from known_tasks
  where queue = $1 and state <> 'deleted' and ($2::uuid is null or task_id < $2) order by task_id desc limit $3`;

@QueryHandler(ListRemainingTasks)
export class ListRemainingTasksHandler implements IQueryHandler<ListRemainingTasks> {
  constructor(private readonly db: DataSource) {}

  async execute({ queue, before, limit }: ListRemainingTasks): Promise<readonly string[]> {
    return idsIn(await this.db.query<readonly Row[]>(REMAINING, [queue, before, limit]));
  }
}

@QueryHandler(ListRunningTasks)
export class ListRunningTasksHandler implements IQueryHandler<ListRunningTasks> {
  constructor(private readonly db: DataSource) {}

  async execute({ queue }: ListRunningTasks): Promise<readonly string[]> {
    return idsIn(await this.db.query<readonly Row[]>(RUNNING, [queue]));
  }
}

@QueryHandler(CountRunningTasks)
export class CountRunningTasksHandler implements IQueryHandler<CountRunningTasks> {
  constructor(private readonly db: DataSource) {}

  async execute({ queue }: CountRunningTasks): Promise<number> {
    const [row] = await this.db.query<[{ count: number }]>(COUNT_OF_RUNNING, [queue]);
    return row.count;
  }
}

interface Row {
  readonly id: string;
}

const idsIn = (rows: readonly Row[]): readonly string[] => rows.map(({ id }) => id);
