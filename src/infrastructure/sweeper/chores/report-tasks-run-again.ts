import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ReportTasks } from '../../../application/batches/report-tasks.handler.js';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { PostgresPool } from '../../database/postgres-pool.js';
import { type Chore, contextOfRound } from '../chore.js';

/** The condition repeats that of the partial index `batches_with_runs`, word by word. Otherwise Postgres does not use the index. */
const WITH_RUNS = {
  name: 'waybill_batches_with_runs',
  text: `select id from batches where state = 'failed' and re_runs = 'own' and error is null and task_ended limit $1`,
};

interface Row {
  readonly id: string;
}

/** Reports tasks by themselves that were run again after the end of their batch, if its policy says so. */
@Injectable()
export class ReportTasksRunAgain implements Chore<Row> {
  readonly name = 'report tasks that were run again';
  readonly idOf = ({ id }: Row) => id;

  constructor(
    private readonly commands: CommandBus,
    private readonly pool: PostgresPool,
  ) {}

  async find(limit: number): Promise<readonly Row[]> {
    return (await this.pool.query<Row>({ ...WITH_RUNS, values: [limit] })).rows;
  }

  act(rows: readonly Row[], term: LeaderTerm): Promise<number> {
    const batches = rows.map(({ id }) => id);
    return this.commands.execute(new ReportTasks(batches, contextOfRound(term)));
  }
}
