import type { WaitsFor } from '../kernel/rows/task-row-change.js';

/** So many tasks are counted of what keeps tasks of a queue from running. */
const MOST_COUNTED = 10_000;

/** SQL for how many tasks of `q`, the alias of a row in `queues`, wait for its limits: `running` and `rate`, each up to 10,000. */
export const limitedTasks = (q: string): string => `waybill_limited_tasks(${q}, ${MOST_COUNTED})`;

/** SQL for how many different needs of ready tasks no worker of `q`, the alias of a row in `queues`, offers. */
export const unmetNeeds = (q: string): string => `waybill_unmet_needs(${q})`;

/** SQL for the number of tasks of `queue`, an expression, whose handlers wait for this. Counted up to 10,000. */
export const waitingTasks = (queue: string, what: WaitsFor): string => `(
  select count(*)::int from (
    select from tasks t where t.queue = ${queue} and t.waits_for = '${what}' and t.rare_state is null and t.failed_at is null and t.due_at > now()
    limit ${MOST_COUNTED}) w)`;
