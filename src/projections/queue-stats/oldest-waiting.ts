/**
 * SQL of one number: for how many milliseconds the longest waiting of those tasks waits that a worker could take now from `queue`,
 * an expression; null where there is none. Only time spent waiting counts: of a task that came back, the time since then. Tasks that
 * did not come back wait in the order of their priority and place, so that stepping from priority to priority finds the oldest:
 * a backlog of millions costs no more than their number. Those that became due are ready with the next claim.
 */
export const oldestWaitingMs = (queue: string): string => `(
  with recursive heads as (
    (select priority, task_id from ready where queue = ${queue} and since is null order by priority desc, seq limit 1)
    union all
    select next.priority, next.task_id from heads h cross join lateral (
      select r.priority, r.task_id from ready r where r.queue = ${queue} and r.since is null and r.priority < h.priority
      order by r.priority desc, r.seq limit 1) next
  )
  select floor(extract(epoch from now() - least(
      (select min(since) from ready where queue = ${queue} and since is not null),
      (select min(due_at) from waiting where queue = ${queue} and gate = 'due' and due_at <= now()),
      (select min(t.enqueued_at) from heads h join tasks t on t.task_id = h.task_id))) * 1000)::float8)`;
