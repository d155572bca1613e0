import type { TaskEvent, TaskEventType } from '../../domain/task/task.events.js';
import type { TaskRecord } from '../appends.js';

export type SettleType = 'succeed' | 'fail' | 'completeStep' | 'reportError' | 'return' | 'wait' | 'confirmCancel';

/** The events that record a worker's settlements. */
export const RECORDED_AS: Readonly<Record<SettleType, TaskEventType>> = {
  succeed: 'TaskSucceeded',
  fail: 'TaskAttemptFailed',
  completeStep: 'TaskStepCompleted',
  reportError: 'TaskErrorReported',
  return: 'TaskReturned',
  // One that has not ended.
  wait: 'TaskWaited',
  confirmCancel: 'TaskCancelConfirmed',
};

/** The events that end a claim. All except those of operators on a running task carry its token. */
const ENDS: ReadonlySet<TaskEventType> = new Set([
  'TaskSucceeded',
  'TaskAttemptFailed',
  'TaskReturned',
  'TaskWaited',
  'TaskCancelConfirmed',
  'TaskLeaseExpired',
  'TaskOverruled',
]);

export function endsClaim({ type, data }: TaskEvent): boolean {
  if (type === 'TaskStepCompleted') return data.then === 'offer';
  if (type === 'TaskAborted' || type === 'TaskDeleted') return data.from === 'running';
  return ENDS.has(type);
}

/** Whether the sweeper ended the attempt, which took too long. */
export const isTimedOut = ({ type, data }: TaskEvent): boolean =>
  type === 'TaskAttemptFailed' && data.error.class === 'timeout';

const REPORTED: ReadonlySet<TaskEventType> = new Set(Object.values(RECORDED_AS));

/** Whether a worker reported the event. */
export const isReported = (event: TaskEvent): boolean => REPORTED.has(event.type) && !isTimedOut(event);

/** The number of the token under which the event was recorded; null if it needs none. */
export const tokenOf = ({ event }: TaskRecord): string | null =>
  'token' in event.data ? (event.data.token ?? null) : null;

export const attemptKey = (taskId: string, token: string | null, type: TaskEventType): string =>
  `${taskId} ${String(token)} ${type}`;
