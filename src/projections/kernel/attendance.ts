/** SQL for the time when a worker last asked for tasks of `queue`, an expression; null if none has for a day. */
export const lastPolledAt = (queue: string): string =>
  `(select max(p.seen_at) from worker_presence p where p.queue = ${queue})`;

/** A worker counts as present for this long after it last asked, or while it has a lease. */
export const PRESENT_MS = 60_000;
export const PRESENT_FOR = `interval '${PRESENT_MS} milliseconds'`;

/** That a worker does not know a kind counts for this long: a task that it gives back is offered again within five minutes. */
export const UNKNOWN_FOR = `interval '10 minutes'`;

/** SQL for the time when a worker last asked for tasks like `t`, the alias of a task; null if none has for a day. */
export const lastAskedAt = (t: string): string =>
  `(select max(s.seen_at) from worker_steps s where s.queue = ${t}.queue and s.step in ('', coalesce(${t}.step, '')))`;

/** SQL for whether a worker asks for tasks like `t`, or runs one of the queue and would ask for them next. */
export const asked = (t: string): string => `waybill_is_served(${t}.queue, ${t}.step, null, null)`;

/** Like `asked`, but leaves out the workers that do not offer what the task needs. `q`: the alias of the row of its queue. */
export const offered = (t: string, q: string): string =>
  `waybill_is_served(${t}.queue, ${t}.step, null, waybill_needed(${q}, ${t}.needs))`;

/** Like `offered`, but leaves out the workers that do not know the task's kind. */
export const served = (t: string, q: string): string =>
  `waybill_is_served(${t}.queue, ${t}.step, ${t}.kind, waybill_needed(${q}, ${t}.needs))`;

/**
 * SQL for whether tasks of a queue wait that no worker serves: for a minute none has asked for tasks at their step or offered what they need, or all
 * have given their kind back as unknown. `q`: the alias of the row in `queues`.
 */
export const unattended = (q: string): string => `waybill_unattended(${q})`;
