import { Injectable } from '@nestjs/common';
import type { OverdueLease } from '../../application/claims/expire-leases.handler.js';
import type { PassedLimit } from '../../application/tasks/keep-time-limits.handler.js';
import { PostgresPool } from '../database/postgres-pool.js';

/** The words of the partial index. A deadline comes before what ends the task. */
const PASSED = {
  name: 'waybill_passed_limits',
  text: `select t.task_id, t.token, case
      when t.alarm_at = t.deadline_at and not t.missed then 'missDeadline'
      when t.state = 'running' then 'timeOut' else 'expire' end as what
    from tasks t where t.alarm_at <= now() and not exists (select from quarantined a where a.task_id = t.task_id)
      and not (t.state = 'running' and t.alarm_at = t.run_until and exists (
        select from leases l where l.id = t.lease and l.deadline < t.run_until))
    order by t.alarm_at limit $1`,
};

const OVERDUE_LEASES = { name: 'waybill_overdue_leases', text: 'select * from waybill_overdue_leases($1)' };
const SILENT_QUEUES = { name: 'waybill_silent_queues', text: 'select * from waybill_silent_queues($1)' };
const QUEUES_DUE = { name: 'waybill_queues_due', text: 'select * from waybill_queues_due($1)' };
const NEXT_DUE = { name: 'waybill_next_due', text: 'select waybill_next_due() as ms' };

interface PassedRow {
  readonly task_id: string;
  readonly token: string | null;
  readonly what: PassedLimit['what'];
}

function passedLimit({ task_id: taskId, token, what }: PassedRow): PassedLimit {
  return what === 'timeOut' ? { taskId, what, token: token! } : { taskId, what };
}

/** Finds what is due, by the database's clock and the rows of the dispatch index. */
@Injectable()
export class DueWork {
  constructor(private readonly pool: PostgresPool) {}

  /**
   * The longest overdue first. Leaves out serial queues: whoever takes such a queue over ends the lease. Leaves out runs whose
   * longest time ended before or with the lease: they have failed, and are not lost.
   */
  async overdueLeases(limit: number): Promise<readonly OverdueLease[]> {
    const { rows } = await this.pool.query<{ task_id: string; token: string; unheard: boolean }>({
      ...OVERDUE_LEASES,
      values: [limit],
    });
    return rows.map(({ task_id: taskId, ...lease }) => ({ taskId, ...lease }));
  }

  /** The serial queues whose consumer lost its lease and that no worker has taken over since, the longest overdue first. */
  async silentlyHeldQueues(limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ queue: string }>({ ...SILENT_QUEUES, values: [limit] });
    return rows.map(({ queue }) => queue);
  }

  /**
   * The tasks with a time that has passed, the longest passed first; one time of each. An attempt whose lease ended before the run
   * had to is lost, and another chore's.
   */
  async passedLimits(limit: number): Promise<readonly PassedLimit[]> {
    const { rows } = await this.pool.query<PassedRow>({ ...PASSED, values: [limit] });
    return rows.map(passedLimit);
  }

  /**
   * The queues whose tasks became due after `since`, or whose serial claim became overdue, and the time up to which
   * this is known.
   */
  async queuesDue(since: string): Promise<{ readonly queues: readonly string[]; readonly until: string }> {
    const { rows } = await this.pool.query<{ until: string; queues: string[] | null }>({
      ...QUEUES_DUE,
      values: [since],
    });
    return { queues: rows[0]!.queues ?? [], until: rows[0]!.until };
  }

  /**
   * Milliseconds until the next deadline, due time, end of a pause, firing of a trigger or staleness of a resource; null if
   * there is none. Triggers wait for the end of a drain.
   */
  async nextInMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ ms: number | null }>(NEXT_DUE);
    return rows[0]!.ms;
  }
}
