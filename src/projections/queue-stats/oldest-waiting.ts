/**
 * SQL of one number: for how many milliseconds the longest waiting of those tasks waits that a worker could take now from `queue`,
 * an expression; null where there is none. Steps from priority to priority: a backlog of millions costs no more than their number.
 */
export const oldestWaitingMs = (queue: string): string => `(
  with recursive heads as (
    (select priority, task_id from ready where queue = ${queue} order by priority desc, seq limit 1)
    union all
    select next.priority, next.task_id from heads h cross join lateral (
      select r.priority, r.task_id from ready r where r.queue = ${queue} and r.priority < h.priority
      order by r.priority desc, r.seq limit 1) next
  )
  select floor(extract(epoch from now() - min(greatest(t.enqueued_at, t.due_at))) * 1000)::float8
  from heads h join tasks t on t.task_id = h.task_id)`;
