import pg from 'pg';
import { overtakenIn } from './overtaken.mjs';

const TASKS = `select task_id as id, key, priority, seq::float8 as seq from tasks where queue = $1 order by priority desc, seq`;

/** Claims and successes in the order of the log. */
const EVENTS = `
  select e.position::float8 as position, e.stream as id, e.type from events e join tasks t on t.task_id = e.stream
  where t.queue = $1 and e.type in ('TaskClaimed', 'TaskSucceeded') order by e.position`;

/**
 * Throws if a task of the queue was claimed while one before it was ready. All tasks must have been enqueued before the
 * first claim.
 */
export async function checkClaimOrder(url, queue) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const [tasks, events] = [await client.query(TASKS, [queue]), await client.query(EVENTS, [queue])];
  await client.end();
  const overtaken = overtakenIn(tasks.rows, events.rows);
  if (overtaken) throw new Error(`Expected tasks to be claimed in order, but ${overtaken}`);
}
