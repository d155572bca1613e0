import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { OPERATION_QUEUES } from './operations.query.js';

/** What all commands for many tasks came to. */
export interface OperationFigures {
  /** How many operations have not ended, paused ones among them. */
  readonly underWay: number;
  /** To how many tasks a command was given, since the beginning. */
  readonly done: number;
  /** How many tasks refused it. */
  readonly refused: number;
  /** How many operations have failed because too few of the tasks that they tried succeeded. */
  readonly stopped: number;
}

export class GetOperationFigures extends Query<OperationFigures> {}

/** Only a canary ends an operation for a reason of its own; deletions of queues have another queue. */
const FIGURES = `
  select (select count(*)::int from tasks where queue = any ($1) and state in ('prepared', 'pending', 'held', 'running')) as "underWay",
    coalesce(sum((checkpoint->'result'->>'done')::bigint), 0)::float8 as done,
    coalesce(sum((checkpoint->'result'->>'asked')::bigint - (checkpoint->'result'->>'done')::bigint), 0)::float8 as refused,
    (select count(*)::int from known_tasks where queue = $2 and failed_at is not null and state = 'failed' and error_class = 'business') as stopped
  from bulk_checkpoints`;

@QueryHandler(GetOperationFigures)
export class GetOperationFiguresHandler implements IQueryHandler<GetOperationFigures> {
  constructor(private readonly db: DataSource) {}

  async execute(): Promise<OperationFigures> {
    const [figures] = await this.db.query<OperationFigures[]>(FIGURES, [OPERATION_QUEUES, OPERATION_QUEUES[0]]);
    return figures!;
  }
}
