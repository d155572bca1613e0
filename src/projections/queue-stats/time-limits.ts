/**
 * SQL for how many milliseconds the longest running attempt of `queue`, an expression, has run; null if none runs. The tasks of a
 * lease were claimed together, so one of them tells.
 */
export const longestRunMs = (queue: string): string => `(
  select floor(extract(epoch from now() - min(r.started_at)) * 1000)::float8
  from leases l cross join lateral (
    select t.started_at from unnest(l.tasks) as u(task_id) join tasks t on t.task_id = u.task_id and t.lease = l.id limit 1) r
  where l.queue = ${queue})`;

/** SQL for the number of open tasks of `queue` whose deadline has passed. */
export const overdueTasks = (queue: string): string =>
  `(select count(*)::float8 from tasks t where t.overdue and t.queue = ${queue})`;
