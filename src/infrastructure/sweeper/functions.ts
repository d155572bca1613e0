import { TAKEOVER_GRACE_MS } from '../../domain/queue/queue.policy.js';
import { functionsBeside } from '../database/sql.js';

const SERIAL = `exists (select from queues q where q.name = l.queue and q.policy->>'concurrency' = 'serial')`;

const QUARANTINED = `exists (select from quarantined a where a.task_id = l.task_id)`;

/**
 * A lease that a worker could have taken over for some seconds, and did not. Of several running tasks of a serial queue, none is
 * ended, because a person has to look at them.
 */
const SILENT = `${SERIAL} and not ${QUARANTINED} and l.reservation is null
  and (select count(*) from task_leases o where o.queue = l.queue) = 1`;

/**
 * What a round of the sweeper asks. As functions, they are planned once for a connection: planning took ten times as long as the rest. With
 * settings, because a plan that is kept from when the tables were empty would read all tasks.
 */
export const SWEEPER_FUNCTIONS: readonly string[] = functionsBeside(
  import.meta.url,
  ['overdue-leases', 'silent-queues', 'queues-due', 'next-due'],
  { SERIAL, QUARANTINED, SILENT, TAKEOVER_GRACE: `interval '${TAKEOVER_GRACE_MS} milliseconds'` },
);
