import type { TaskEvent, TaskEventType } from '../../../src/domain/task/task.events.js';
import type { SettleType, TaskRecord } from './history.js';

/** The events that record a worker's settlements. */
export const RECORDED_AS: Readonly<Record<SettleType, TaskEventType>> = {
  succeed: 'TaskSucceeded',
  fail: 'TaskAttemptFailed',
  completeStep: 'TaskStepCompleted',
  reportError: 'TaskErrorReported',
  return: 'TaskReturned',
  confirmCancel: 'TaskCancelConfirmed',
};

/** The events that end a claim. All except those of operators on a running task carry its token. */
const ENDS: ReadonlySet<TaskEventType> = new Set([
  'TaskSucceeded',
  'TaskAttemptFailed',
  'TaskReturned',
  'TaskCancelConfirmed',
  'TaskLeaseExpired',
  'TaskOverruled',
]);

export function endsClaim({ type, data }: TaskEvent): boolean {
  if (type === 'TaskStepCompleted') return data.then === 'offer';
  if (type === 'TaskAborted' || type === 'TaskDeleted') return data.from === 'running';
  return ENDS.has(type);
}

/** The number of the token under which the event was recorded; null if it needs none. */
export const tokenOf = ({ event }: TaskRecord): string | null =>
  'token' in event.data ? (event.data.token ?? null) : null;

export const attemptKey = (taskId: string, token: string | null, type: TaskEventType): string =>
  `${taskId} ${String(token)} ${type}`;
