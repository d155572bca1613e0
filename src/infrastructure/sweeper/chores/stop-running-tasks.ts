import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { StopRuns } from '../../../application/system/stop-runs.handler.js';
import { PostgresPool } from '../../database/postgres-pool.js';
import { type Chore, contextOfRound } from '../chore.js';

/** Looks at the leases only while the system drains with `cancel`. A join would read all of them in every round. */
export const RUNNING = {
  name: 'waybill_runs_to_stop',
  text: `select r.task_id as id, s.begun_by as by, s.reason from system s cross join lateral (
    select t.task_id from leases l cross join lateral unnest(l.tasks) as u(task_id) join tasks t on t.task_id = u.task_id and t.lease = l.id
    where s.running = 'cancel' and not t.cancel_requested
      and not exists (select from quarantined a where a.task_id = t.task_id) limit $1) r`,
};

interface Row {
  readonly id: string;
  readonly by: string;
  readonly reason: string | null;
}

/** Asks all workers to stop while the system drains with `cancel`. */
@Injectable()
export class StopRunningTasks implements Chore<Row> {
  readonly name = 'stop running tasks';
  readonly idOf = ({ id }: Row) => id;
  readonly taskOf = ({ id }: Row) => id;

  constructor(
    private readonly commands: CommandBus,
    private readonly pool: PostgresPool,
  ) {}

  async find(limit: number): Promise<readonly Row[]> {
    return (await this.pool.query<Row>({ ...RUNNING, values: [limit] })).rows;
  }

  act(rows: readonly Row[], term: LeaderTerm): Promise<number> {
    const { by: actor, reason } = rows[0]!;
    const context = { ...contextOfRound(term), actor, ...(reason !== null && { reason }) };
    const tasks = rows.map(({ id }) => id);
    return this.commands.execute(new StopRuns(tasks, reason, context));
  }
}
