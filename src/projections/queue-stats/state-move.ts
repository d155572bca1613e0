import type { FromStatus, TaskEvent, TaskEventType } from '../../domain/task/task.events.js';

export type TaskStateName = FromStatus | 'deleted';

export const TASK_STATES: readonly TaskStateName[] = [
  'prepared',
  'pending',
  'held',
  'running',
  'errored',
  'failed',
  'succeeded',
  'cancelled',
  'aborted',
  'superseded',
  'deleted',
];

/** A task that leaves one state for another; `from` is null for a new one. */
export interface StateMove {
  readonly from: TaskStateName | null;
  readonly to: TaskStateName;
}

type Rules = {
  readonly [T in TaskEventType]: (data: Extract<TaskEvent, { readonly type: T }>['data']) => StateMove | null;
};

const stays = () => null;

/** Which state each event takes its task from, and to which: told by the event alone. */
export const stateMoves: Rules = {
  TaskPrepared: () => ({ from: null, to: 'prepared' }),
  TaskEnqueued: ({ heldBy }) => ({ from: null, to: heldBy ? 'held' : 'pending' }),
  TaskEnqueueRejected: () => ({ from: null, to: 'failed' }),
  TaskSubmitted: ({ heldBy }) => ({ from: 'prepared', to: heldBy ? 'held' : 'pending' }),
  TaskHeld: ({ from }) => ({ from, to: 'held' }),
  TaskReleased: () => ({ from: 'held', to: 'pending' }),
  TaskClaimed: () => ({ from: 'pending', to: 'running' }),
  TaskStepCompleted: ({ then }) => (then === 'offer' ? { from: 'running', to: 'pending' } : null),
  TaskErrorReported: stays,
  TaskAttemptFailed: stays,
  TaskRetryScheduled: () => ({ from: 'running', to: 'pending' }),
  TaskErrored: () => ({ from: 'running', to: 'errored' }),
  TaskFailed: ({ from }) => ({ from, to: 'failed' }),
  TaskRetried: ({ from, heldBy }) => ({ from, to: heldBy ? 'held' : 'pending' }),
  TaskSucceeded: () => ({ from: 'running', to: 'succeeded' }),
  TaskLeaseExpired: () => ({ from: 'running', to: 'pending' }),
  TaskHandedBack: () => ({ from: 'running', to: 'pending' }),
  TaskCancelRequested: stays,
  TaskCancelConfirmed: stays,
  TaskCancelled: ({ from }) => ({ from, to: 'cancelled' }),
  TaskAborted: ({ from }) => ({ from, to: 'aborted' }),
  TaskSuperseded: ({ from }) => ({ from, to: 'superseded' }),
  TaskReprioritised: stays,
  TaskRescheduled: stays,
  TaskPayloadAmended: stays,
  TaskDeleted: ({ from }) => ({ from, to: 'deleted' }),
  TaskOverruled: ({ verdict }) => ({ from: 'running', to: overruledTo[verdict] }),
};

const overruledTo = { succeed: 'succeeded', fail: 'failed', requeue: 'pending' } as const;
