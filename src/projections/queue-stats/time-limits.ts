/** SQL for how many milliseconds the longest running attempt of `queue`, an expression, has run; null if none runs. */
export const longestRunMs = (queue: string): string => `(
  select floor(extract(epoch from now() - min(t.started_at)) * 1000)::float8
  from leases l cross join lateral unnest(l.tasks) as u(task_id) join tasks t on t.task_id = u.task_id and t.lease = l.id
  where l.queue = ${queue})`;

/** SQL for the number of open tasks of `queue` whose deadline has passed. */
export const overdueTasks = (queue: string): string =>
  `(select count(*)::float8 from tasks t where t.overdue and t.queue = ${queue})`;
