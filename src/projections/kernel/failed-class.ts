import type { ErrorClass, TaskEvent } from '../../domain/task/task.events.js';

/** The class of the failure that an event counts as: of an attempt, or of a task that waited too long. Null if it is none. */
export function failedClass({ type, data }: TaskEvent): ErrorClass | null {
  if (type === 'TaskAttemptFailed') return data.error.class;
  if (type === 'TaskLeaseExpired') return 'lost';
  return type === 'TaskFailed' && data.error.class === 'expired' ? 'expired' : null;
}
