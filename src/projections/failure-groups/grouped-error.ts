import { isReserved } from '../../domain/queue/reserved.policy.js';
import { failureIn } from '../../domain/task/failures.events.js';
import type { TaskError, TaskEvent } from '../../domain/task/task.events.js';

/** The error by which an event counts in a group; null if it is no failure, or one of the service's own queues. */
export const groupedErrorIn = (event: TaskEvent): TaskError | null =>
  isReserved(event.data.queue) ? null : failureIn(event);
