import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { ResumeStopped } from '../../../application/system/resume-stopped.handler.js';
import { PostgresPool } from '../../database/postgres-pool.js';
import { type Chore, contextOfRound } from '../chore.js';

/** What was stopped since the system was resumed waits for the next time, and a task whose key is taken for its key. */
const STOPPED = {
  name: 'waybill_stopped_tasks',
  text: `select t.task_id as id from system s join tasks t on t.stopped and t.position < s.position
    where s.resume and not exists (select from quarantined a where a.task_id = t.task_id)
      and waybill_unique_problem(t.task_id, t.queue, null, t.key) is null limit $1`,
};

interface Row {
  readonly id: string;
}

/** Retries what shutdowns stopped, once somebody has resumed the system so. */
@Injectable()
export class ResumeStoppedTasks implements Chore<Row> {
  readonly name = 'resume stopped tasks';
  readonly idOf = ({ id }: Row) => id;

  constructor(
    private readonly commands: CommandBus,
    private readonly pool: PostgresPool,
  ) {}

  async find(limit: number): Promise<readonly Row[]> {
    return (await this.pool.query<Row>({ ...STOPPED, values: [limit] })).rows;
  }

  act(rows: readonly Row[], term: LeaderTerm): Promise<number> {
    return this.commands.execute(
      new ResumeStopped(
        rows.map(({ id }) => id),
        contextOfRound(term),
      ),
    );
  }
}
