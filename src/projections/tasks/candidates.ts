import type { DataSource } from 'typeorm';
import type { TaskStatus } from '../../domain/task/task.events.js';

/**
 * Up to so many pending tasks of a queue are taken from the dispatch index. If there are more, walking the queue's rows in order
 * fills a page soon, because most of them match.
 */
const MOST_PENDING = 10_000;

export interface InState {
  readonly queue?: string;
  readonly state?: TaskStatus;
}

/**
 * A query for the ids of the few tasks that may be in the state, or null if there may be many. Neither `pending` nor
 * `running` has an index, because every claim would have to change it, but the dispatch index knows such tasks. Without
 * this, a list reads all tasks of the queue, or the whole table if the queue has most of it. The query has the parameter
 * `queue`, if that is given.
 */
export async function candidatesOf(db: DataSource, filter: InState): Promise<string | null> {
  if (filter.state === 'running') return leased(filter);
  return filter.state === 'pending' && (await hasFewPending(db, filter)) ? pending(filter) : null;
}

const inQueue = ({ queue }: InState, parameter: string): string =>
  queue === undefined ? 'true' : `queue = ${parameter}`;

const leased = (filter: InState): string => `select unnest(tasks) from leases where ${inQueue(filter, ':queue')}`;

/**
 * They wait, are ready, by themselves or in an extent, are in a claim whose event is not applied yet, or cannot be read since
 * they were claimed. A segment has at most 64 events, and that of a position in an extent is an enqueued task's.
 */
const pending = (filter: InState): string => {
  const here = inQueue(filter, ':queue');
  return `
    select task_id from waiting where ${here}
    union all select task_id from ready where ${here} and task_id is not null
    union all select unnest(s.streams[greatest(r.from_seq - s.position, 0) + 1 : r.to_seq - s.position + 1])
      from ready r join segments s on s.position > r.from_seq - 64 and s.position <= r.to_seq where ${here} and r.task_id is null
    union all select stream from (select stream, scope as queue from reservations where lease is not null) as claimed where ${here}
    union all select task_id from quarantined`;
};

async function hasFewPending(db: DataSource, filter: InState): Promise<boolean> {
  const here = inQueue(filter, '$1');
  const [{ few }] = await db.query<[{ few: boolean }]>(
    `select coalesce(sum(tasks), 0) <= ${MOST_PENDING} as few from (
       select to_seq - from_seq + 1 as tasks from ready where ${here}
       union all select 1 from waiting where ${here} limit ${MOST_PENDING} + 1) as open`,
    filter.queue === undefined ? [] : [filter.queue],
  );
  return few;
}
