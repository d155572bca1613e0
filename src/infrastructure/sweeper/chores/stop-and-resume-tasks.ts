import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { newId } from '../../../application/kernel/new-id.js';
import { ResumeTasks, StopTasks } from '../../../application/system/move-stopped-tasks.handler.js';
import { PostgresPool } from '../../database/postgres-pool.js';
import type { Chore } from '../chore.js';

/** What is to be done about a task: `stop` it, `resume` it, or `forget` that it was stopped. */
export interface StoppedTask {
  readonly task: string;
  readonly what: 'stop' | 'resume' | 'forget';
  readonly by: string | null;
  readonly reason: string | null;
}

/** While a drain cancels, every running task that nobody has asked to stop; after a drain, the tasks that it stopped. */
const FIND = {
  name: 'waybill_stopped_tasks',
  text: `
    select t.task_id as task, 'stop' as what, s.begun_by as by, s.reason from system s join leases l on s.running = 'cancel'
      cross join lateral unnest(l.tasks) as u(task_id) join tasks t on t.task_id = u.task_id and t.lease = l.id
      where not t.cancel_requested
    union all
    select x.task_id, case when s.resume and t.state = 'cancelled' then 'resume' else 'forget' end, null, null
      from stopped x join tasks t on t.task_id = x.task_id join system s on not s.draining
      where x.refusal is null and (t.state <> 'running' or not s.resume)
    limit $1`,
};

const REFUSE = `update stopped s set refusal = r.refusal from unnest($1::uuid[], $2::text[]) as r(task, refusal)
  where s.task_id = r.task and r.refusal <> 'CONTENTION'`;

/** Stops what runs while the system drains with `cancel`, and resumes exactly that afterwards. */
@Injectable()
export class StopAndResumeTasks implements Chore<StoppedTask> {
  readonly name = 'stop and resume tasks';

  constructor(
    private readonly commands: CommandBus,
    private readonly pool: PostgresPool,
  ) {}

  async find(limit: number): Promise<readonly StoppedTask[]> {
    const { rows } = await this.pool.query<StoppedTask>({ ...FIND, values: [limit] });
    return rows;
  }

  async act(rows: readonly StoppedTask[]): Promise<number> {
    const toStop = rows.filter(({ what }) => what === 'stop');
    if (toStop.length > 0) await this.stop(toStop);
    await this.resume(rows.flatMap(({ task, what }) => (what === 'resume' ? task : [])));
    await this.forget(rows.flatMap(({ task, what }) => (what === 'forget' ? task : [])));
    return rows.length;
  }

  /** Remembered first, so that a crash in between leaves no task stopped that nobody resumes. */
  private async stop(rows: readonly StoppedTask[]): Promise<void> {
    const tasks = rows.map(({ task }) => task);
    const { by, reason } = rows[0]!;
    await this.pool.query('insert into stopped (task_id) select unnest($1::uuid[]) on conflict do nothing', [tasks]);
    const context = { actor: by!, correlationId: newId(), ...(reason !== null && { reason }) };
    await this.commands.execute(new StopTasks(tasks, context));
  }

  /** A task that cannot be retried stays in the list with the refusal, for a person to look at. Contention passes. */
  private async resume(tasks: readonly string[]): Promise<void> {
    if (tasks.length === 0) return;
    const context = { actor: 'sweeper', correlationId: newId(), reason: 'the drain is over' };
    const refusals = await this.commands.execute(new ResumeTasks(tasks, context));
    await this.pool.query(REFUSE, [tasks, refusals]);
    await this.forget(tasks.filter((_, n) => refusals[n] === null));
  }

  private async forget(tasks: readonly string[]): Promise<void> {
    if (tasks.length > 0) await this.pool.query('delete from stopped where task_id = any ($1::uuid[])', [tasks]);
  }
}
