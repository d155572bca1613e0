import type { TaskError, TaskEvent } from './task.events.js';

/** The types of the events by which a task fails, or an attempt does. */
export const FAILURE_TYPES = [
  'TaskAttemptFailed',
  'TaskFailed',
  'TaskDecisionRequested',
  'TaskEnqueueRejected',
  'TaskOverruled',
] as const satisfies readonly TaskEvent['type'][];

export type FailureEvent = Extract<TaskEvent, { readonly type: (typeof FAILURE_TYPES)[number] }>;

/** In place of the message of an erased error. */
export const ERASED = '(erased)';

/** What the id of a group of failures looks like. */
export const GROUP_ID = /^g[0-9a-f]{15}$/;

/**
 * The error of a failure; null if the event is none. An attempt that fails is one failure, and a task that fails with
 * it, or waits for a decision, is another.
 */
export function failureIn(event: TaskEvent): TaskError | null {
  switch (event.type) {
    case 'TaskAttemptFailed':
    case 'TaskFailed':
    case 'TaskDecisionRequested':
    case 'TaskEnqueueRejected':
      return event.data.error;
    case 'TaskOverruled':
      if (event.data.verdict !== 'fail') return null;
      return { message: event.data.reason, class: event.data.class ?? 'application' };
    default:
      return null;
  }
}
