import { Injectable } from '@nestjs/common';
import type { DueQueue } from '../../application/queues/apply-due-queue-transitions.handler.js';
import type { ErrorClass } from '../../domain/task/task.events.js';
import { PostgresPool } from '../database/postgres-pool.js';

/**
 * Queries the current state instead of following events. If one queue finishes while another begins to wait for it, the
 * next look finds both, whichever committed first.
 */
const DUE = {
  name: 'waybill_due_queues',
  text: `
    select * from (
    select name, 'pause-over' as cause, null::uuid as task, null as class from queues
      where status = 'paused' and pause_until <= now()
    union all
    select b.name, 'wait-over', null, null from queues b
      where b.status = 'waiting' and not exists (
        select from jsonb_array_elements_text(b.policy->'waitsFor') as w(name) left join queues a on a.name = w.name
        where a.status is distinct from 'finished')
    union all
    select q.name, 'drained', null, null from queues q
      where q.status = 'active' and not q.intake_open and (q.policy->>'finite')::boolean
        and not exists (select from ready where queue = q.name)
        and not exists (select from waiting where queue = q.name)
        and not exists (select from leases where queue = q.name)
    union all
    select q.name, 'failures', q.failure_task, t.error_class from queues q join known_tasks t on t.task_id = q.failure_task
      where q.failure_streak > 0 and q.status = 'active' and q.failure_streak >= (q.policy->>'pauseAfterFailures')::int
    ) due limit $1`,
};

interface Row {
  readonly name: string;
  readonly cause: DueQueue['cause'];
  readonly task: string;
  readonly class: ErrorClass | null;
}

/** Finds the queues that are due to change state by themselves. */
@Injectable()
export class DueQueues {
  constructor(private readonly pool: PostgresPool) {}

  async find(limit: number): Promise<readonly DueQueue[]> {
    const { rows } = await this.pool.query<Row>({ ...DUE, values: [limit] });
    return rows.map(dueQueue);
  }
}

function dueQueue({ name, cause, task, class: errorClass }: Row): DueQueue {
  if (cause !== 'failures') return { name, cause };
  // The row of a task loses its error when a retry begins.
  return { name, cause, failure: { taskId: task, class: errorClass ?? 'application' } };
}
