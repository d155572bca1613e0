/** SQL of when a worker last asked for tasks of `queue`, an expression; null where none has for a day. */
export const lastPolledAt = (queue: string): string =>
  `(select max(p.seen_at) from worker_presence p where p.queue = ${queue})`;

/** For so long after it asked, or by its lease, a worker is there. */
export const PRESENT_FOR = `interval '1 minute'`;

/**
 * SQL of whether tasks of a queue wait that a worker could take now, and none has asked for them in the last minute, nor works on another
 * one of them. `q`: the alias of its row in `queues`.
 */
export const unattended = (q: string): string => `(
  waybill_withheld(${q}) is null
  and (exists (select from ready r where r.queue = ${q}.name)
    or exists (select from waiting w where w.queue = ${q}.name and w.gate = 'due' and w.due_at <= now()))
  and not exists (select from worker_presence p where p.queue = ${q}.name and p.seen_at > now() - ${PRESENT_FOR})
  and not exists (select from leases l where l.queue = ${q}.name and l.deadline > now()))`;
