import { isReserved } from '../../domain/queue/reserved.policy.js';
import { failureIn } from '../../domain/task/failures.events.js';
import type { Recorded } from './event-log.port.js';
import type { Grouping } from './grouping.js';
import type { TaskError, TaskEvent } from '../../domain/task/task.events.js';

/** The group of the last failure among the events of a task; null if it has failed in none. */
export function lastGroupIn(events: readonly Recorded[], grouping: Grouping): string | null {
  const errors = (events as readonly Recorded<TaskEvent>[]).flatMap(({ event }) => groupedErrorIn(event) ?? []);
  const last = errors.at(-1);
  return last ? grouping.groupOf(last) : null;
}

/** The error by which an event counts in a group; null if it is no failure, or one of the service's own queues. */
export const groupedErrorIn = (event: TaskEvent): TaskError | null =>
  isReserved(event.data.queue) ? null : failureIn(event);
