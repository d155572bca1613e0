import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { TaskStatus } from '../../domain/task/task.events.js';

/** Tasks of a batch that have not ended, by queue and state, and the one that plans it. */
export interface OpenTasks {
  readonly queue: string;
  readonly state: TaskStatus;
  /** The state in the words of the queue. */
  readonly stateName: string;
  readonly tasks: number;
  /** The commands that the queue offers; null means all. */
  readonly offered: QueuePolicy['commands'];
}

/** The most lines of one batch, which only hundreds of queues exceed. */
export const MOST_LINES = 100;

/** A list of `OpenTasks` as JSON, of the batch whose id the SQL expression has; empty if there is none, or it is no batch. */
export const openTasksOf = (batch: string): string => `(
  select coalesce(jsonb_agg(jsonb_build_object('queue', o.queue, 'state', o.state,
      'stateName', coalesce(q.policy->'vocabulary'->>o.state, o.state), 'tasks', o.tasks, 'offered', q.policy->'commands')
    order by o.queue, o.state), '[]')
  from (select m.queue, m.state, count(*)::int as tasks from (
      select queue, state from known_tasks where batch = ${batch}
      union all select t.queue, t.state from batches p join known_tasks t on t.task_id = p.planner where p.id = ${batch} and p.state = 'planning') m
    where m.state not in ('succeeded', 'superseded', 'failed', 'aborted', 'deleted')
    group by 1, 2 order by 1, 2 limit ${MOST_LINES}) o left join queues q on q.name = o.queue)`;
