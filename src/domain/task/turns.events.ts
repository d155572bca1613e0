import type { TaskEvent } from './task.events.js';

/** Whether the task has been released, or a task with steps is in a step from this event on: it was claimed, or retried at it. */
export const enters = ({ type, data }: TaskEvent, hasSteps: boolean): boolean =>
  type === 'TaskReleased' ||
  (hasSteps && (type === 'TaskClaimed' || (type === 'TaskRetried' && data.step !== undefined)));

/**
 * Whether a task that is open after this event stands at the end of the line from then on: it has had a turn, or a person
 * retries it. A task that its worker did not begin keeps its place.
 */
export function takesPlace({ type, data }: TaskEvent): boolean {
  switch (type) {
    case 'TaskRetryScheduled':
    case 'TaskLeaseExpired':
    case 'TaskRetried':
      return true;
    case 'TaskReturned':
      return !data.unstarted;
    case 'TaskHeld':
      return data.from === 'running';
    case 'TaskOverruled':
      return data.verdict === 'requeue';
    default:
      return false;
  }
}

/** The place in line after an event with which the task takes its place, or gets it back; null: its first one. */
export const placeAfter = ({ type, data }: TaskEvent, position: string): string | null =>
  type === 'TaskRestored' ? (data.was.place ?? null) : position;

/** Whether the task has been released or, with steps, claimed or retried at one. An undo takes that back. */
export function wasEntered(events: readonly TaskEvent[], hasSteps: boolean): boolean {
  const last = events.findLastIndex(({ type }) => type === 'TaskRestored');
  const restored = events[last];
  return (
    (restored?.type === 'TaskRestored' && restored.data.was.entered === true) ||
    events.slice(last + 1).some((event) => enters(event, hasSteps))
  );
}
