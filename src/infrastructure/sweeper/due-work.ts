import { Injectable } from '@nestjs/common';
import type { OverdueLease } from '../../application/claims/expire-leases.handler.js';
import type { PassedLimit } from '../../application/tasks/keep-time-limits.handler.js';
import { TAKEOVER_GRACE_MS } from '../../domain/queue/queue.policy.js';
import { PostgresPool } from '../database/postgres-pool.js';

const SERIAL = `exists (select from queues q where q.name = l.queue and q.policy->>'concurrency' = 'serial')`;

const QUARANTINED = `exists (select from quarantined a where a.task_id = l.task_id)`;

/**
 * A lease that a worker could have taken over for some seconds, and did not. Of several running tasks of a serial queue, none is
 * ended, because a person has to look at them.
 */
const SILENT = `${SERIAL} and not ${QUARANTINED} and l.reservation is null
  and (select count(*) from task_leases o where o.queue = l.queue) = 1`;
const TAKEOVER_GRACE = `interval '${TAKEOVER_GRACE_MS} milliseconds'`;

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
    const { rows } = await this.pool.query<{ task_id: string; token: string; unheard: boolean }>(
      `select task_id, token, unheard from task_leases l where deadline < now() and not ${SERIAL} and not ${QUARANTINED}
         and (run_until <= deadline) is not true order by deadline limit $1`,
      [limit],
    );
    return rows.map(({ task_id: taskId, ...lease }) => ({ taskId, ...lease }));
  }

  /** The serial queues whose consumer lost its lease and that no worker has taken over since, the longest overdue first. */
  async silentlyHeldQueues(limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ queue: string }>(
      `select queue from task_leases l where deadline < now() - ${TAKEOVER_GRACE} and ${SILENT} order by deadline limit $1`,
      [limit],
    );
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
    const { rows } = await this.pool.query<{ until: string; queues: string[] | null }>(
      `select now()::text as until, (select array_agg(distinct queue) from (
           select queue from waiting where gate = 'due' and due_at > $1::timestamptz and due_at <= now()
           union all select queue from leases l where deadline > $1::timestamptz and deadline <= now() and ${SERIAL}
         ) as due) as queues`,
      [since],
    );
    return { queues: rows[0]!.queues ?? [], until: rows[0]!.until };
  }

  /**
   * Milliseconds until the next deadline, due time, end of a pause, firing of a trigger or staleness of a resource; null if
   * there is none. Triggers wait for the end of a drain.
   */
  async nextInMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ ms: number | null }>(
      `select (extract(epoch from least(
          (select min(deadline) from leases where deadline > now()),
          (select deadline from task_leases l where deadline <= now() and not ${SERIAL} and not ${QUARANTINED} order by deadline limit 1),
          (select deadline + ${TAKEOVER_GRACE} from task_leases l where deadline <= now() and ${SILENT} order by deadline limit 1),
          (select min(alarm_at) from tasks where alarm_at > now()),
          (select min(due_at) from waiting where gate = 'due' and due_at > now()),
          (select min(pause_until) from queues where status = 'paused'),
          (select min(coalesce(retry_at, next_at)) from triggers where next_at is not null and not exists (select from system where intake = 'closed')),
          (select min(g.measured_at + r.stale_after * interval '1 second') from resources r join gauges g on g.resource = r.name where r.level is not null)) - now()) * 1000)::float8 as ms`,
    );
    return rows[0]!.ms;
  }
}
