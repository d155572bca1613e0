import type { TaskEvent, TaskEventType } from '../../../src/domain/task/task.events.js';
import type { SettleType, TaskRecord } from './history.js';

/** What a worker's settlement is recorded as. */
export const RECORDED_AS: Readonly<Record<SettleType, TaskEventType>> = {
  succeed: 'TaskSucceeded',
  fail: 'TaskAttemptFailed',
  completeStep: 'TaskStepCompleted',
  reportError: 'TaskErrorReported',
  return: 'TaskReturned',
  confirmCancel: 'TaskCancelConfirmed',
};

/** The events by which a claim ends. All but those of operators on a running task carry its token. */
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

/** The number of the token that the event was recorded under; null where it needs none. */
export const tokenOf = ({ event }: TaskRecord): string | null => ('token' in event.data ? event.data.token : null);

export const attemptKey = (taskId: string, token: string | null, type: TaskEventType): string =>
  `${taskId} ${String(token)} ${type}`;
