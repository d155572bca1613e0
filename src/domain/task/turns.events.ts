import { CHANGE_NOTHING, restoredIn, type TaskEvent } from './task.events.js';

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

/**
 * The position of the event with which the task took its place in line; null: its first one. Of the commands that can be undone,
 * only a retry takes a place, so a restore after one gives that before it back. The place in the event of a restore is a
 * position of the log in which it was recorded: this one may be a copy.
 */
export function placeIn(history: readonly { readonly event: TaskEvent; readonly position: string }[]): string | null {
  let [place, before, last]: [string | null, string | null, string] = [null, null, ''];
  for (const { event, position } of history) {
    if (CHANGE_NOTHING.includes(event.type)) continue;
    if (last === 'TaskRetried' && restoredIn(event)) place = before;
    if (takesPlace(event)) [before, place] = [place, position];
    last = event.type;
  }
  return place;
}

/** Whether the task has been released or, with steps, claimed or retried at one. An undo takes that back. */
export function wasEntered(events: readonly TaskEvent[], hasSteps: boolean): boolean {
  const last = events.findLastIndex(restoredIn);
  const restored = last < 0 ? null : restoredIn(events[last]!);
  return restored?.entered === true || events.slice(last + 1).some((event) => enters(event, hasSteps));
}
