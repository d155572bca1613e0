import { topFrame } from '../kernel/fingerprint.js';
import type { IsoTime } from '../kernel/json.js';
import type { TaskError, TaskEvent, TaskFailed } from './task.events.js';
import type { CancelRequest, RunningTask, TaskFacts } from './task.state.js';
import { forShutdown, holdRef, keyOf, leaving, ranUntil, reasonIn } from './event-parts.js';

/** When an attempt ended, and the task that has the waiting place of its key. */
interface EndedAttempt<Conflict extends string | null = string | null> {
  readonly now: IsoTime;
  readonly conflictingTaskId: Conflict;
}

/**
 * What follows for a task whose attempt ended without an outcome, as events after the one that ended it. A request to
 * cancel or hold the task is carried out; without one the task waits again, which needs no event. Pending and held
 * tasks occupy the one waiting place of their key. If `conflictingTaskId` has that place, the task fails instead, with
 * the attempt's `error` if there is one.
 */
export function requeue(
  state: RunningTask,
  { now, conflictingTaskId }: EndedAttempt,
  error?: TaskError,
): readonly TaskEvent[] {
  const request = state.cancelRequest;
  if (request?.then === 'cancelled') {
    const data = { by: request.by, ...leaving(state), ...reasonIn(request.reason), ...forShutdown(request) };
    return [{ type: 'TaskCancelled', version: 1, data }];
  }
  if (request?.then === 'failed') {
    const why = error ?? state.reportedError ?? cancelled(request);
    return [
      failed(state, now, why, { decidedBy: request.by, ...(conflictingTaskId !== null && { conflictingTaskId }) }),
    ];
  }
  if (conflictingTaskId !== null) return [displaced(state, { now, conflictingTaskId }, error)];
  if (request === null) return [];
  const data = { heldBy: holdRef(request.by, request.reason), ...leaving(state) };
  return [{ type: 'TaskHeld', version: 1, data }];
}

const cancelled = ({ by, reason }: CancelRequest): TaskError => ({
  message: `Expected the task to go on, but '${by}' cancelled it${reason === null ? '' : `: ${reason}`}`,
  class: 'business',
});

/** Fails the task because another one waits for its key. */
export const displaced = (
  state: RunningTask,
  { now, conflictingTaskId }: EndedAttempt<string>,
  error: TaskError = keyTaken(state.task, conflictingTaskId),
): TaskEvent => failed(state, now, error, { conflictingTaskId });

const keyTaken = ({ attempt, submission }: TaskFacts, conflictingTaskId: string): TaskError => ({
  message:
    `Expected the task to wait again after attempt ${attempt}, ` +
    `but task '${conflictingTaskId}' already waits for its key '${submission.key}'`,
  class: 'transient',
});

/**
 * Leaves out the details, such as a stack of some kilobytes, because the event that reported the error has them. What groups
 * failures stays.
 */
export function inShort(error: TaskError): TaskError {
  const { message, class: errorClass } = error;
  const frame = topFrame(error);
  return { message, class: errorClass, ...(frame !== null && { frame }) };
}

/** Fails a running task as the queue's policy says, unless `how` says otherwise. */
export function failed(
  state: RunningTask,
  now: IsoTime,
  error: TaskError,
  how: Partial<TaskFailed['data']> = {},
): TaskEvent {
  const data = {
    error: inShort(error),
    final: false,
    decidedBy: 'policy',
    ranMs: ranUntil(state, now),
    ...leaving(state),
    ...keyOf(state.task),
    ...how,
  };
  return { type: 'TaskFailed', version: 1, data };
}
