/** SQL for the time when a worker last asked for tasks of `queue`, an expression; null if none has for a day. */
export const lastPolledAt = (queue: string): string =>
  `(select max(p.seen_at) from worker_presence p where p.queue = ${queue})`;

/** A worker counts as present for this long after it last asked, or while it has a lease. */
export const PRESENT_FOR = `interval '1 minute'`;

/**
 * SQL for whether ready tasks of a queue wait although for a minute no worker has asked for them or run another task of
 * the queue. `q`: the alias of the row in `queues`.
 */
export const unattended = (q: string): string => `(
  waybill_withheld(${q}) is null
  and (exists (select from ready r where r.queue = ${q}.name)
    or exists (select from waiting w where w.queue = ${q}.name and w.gate = 'due' and w.due_at <= now()))
  and not exists (select from worker_presence p where p.queue = ${q}.name and p.seen_at > now() - ${PRESENT_FOR})
  and not exists (select from leases l where l.queue = ${q}.name and l.deadline > now()))`;
