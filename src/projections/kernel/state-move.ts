import type {
  FromStatus,
  MovingTaskEventType,
  TaskEvent,
  TaskEventOf,
  TaskStatus,
} from '../../domain/task/task.events.js';

/** A task's change from one state to another; `from` is null for a new task. */
export interface StateMove {
  readonly from: TaskStatus | null;
  readonly to: TaskStatus;
}

type Rules = {
  readonly [T in MovingTaskEventType]: (data: TaskEventOf<T>['data']) => StateMove | null;
};

const backInLine = (): StateMove => ({ from: 'running', to: 'pending' });

/**
 * The end of an attempt puts its task back to pending. The next event of the same append says what follows and names
 * `running` as the status before, so that is corrected here.
 */
const afterAttempt = (from: FromStatus): FromStatus => (from === 'running' ? 'pending' : from);

/**
 * The states between which the event moves its task, derived from the event alone; null if the state stays the same.
 */
export function stateMove({ type, data }: TaskEvent): StateMove | null {
  const rule = rules[type as MovingTaskEventType] as ((data: TaskEvent['data']) => StateMove | null) | undefined;
  return rule ? rule(data) : null;
}

/** Whether events of the type may move a task. Their data says whether they do. */
export const mayMove = (type: string): boolean => Object.hasOwn(rules, type);

const rules: Rules = {
  TaskPrepared: () => ({ from: null, to: 'prepared' }),
  TaskEnqueued: ({ heldBy }) => ({ from: null, to: heldBy ? 'held' : 'pending' }),
  TaskEnqueueRejected: () => ({ from: null, to: 'failed' }),
  TaskSubmitted: ({ heldBy }) => ({ from: 'prepared', to: heldBy ? 'held' : 'pending' }),
  TaskHeld: ({ from }) => ({ from: afterAttempt(from), to: 'held' }),
  TaskReleased: () => ({ from: 'held', to: 'pending' }),
  TaskClaimed: () => ({ from: 'pending', to: 'running' }),
  TaskStepCompleted: ({ then }) => (then === 'offer' ? backInLine() : null),
  TaskAttemptFailed: backInLine,
  TaskDecisionRequested: () => ({ from: 'pending', to: 'undecided' }),
  TaskFailed: ({ from }) => ({ from: afterAttempt(from), to: 'failed' }),
  TaskRetried: ({ from, heldBy }) => ({ from, to: heldBy ? 'held' : 'pending' }),
  TaskSucceeded: () => ({ from: 'running', to: 'succeeded' }),
  TaskLeaseExpired: backInLine,
  TaskReturned: backInLine,
  TaskCancelConfirmed: backInLine,
  TaskCancelled: ({ from }) => ({ from: afterAttempt(from), to: 'cancelled' }),
  TaskAborted: ({ from }) => ({ from, to: 'aborted' }),
  TaskSuperseded: ({ from }) => ({ from, to: 'superseded' }),
  TaskDeleted: ({ from }) => ({ from, to: 'deleted' }),
  TaskRestored: ({ from, to }) => (from === to ? null : { from, to }),
  TaskOverruled: ({ verdict }) => ({ from: 'running', to: overruledTo[verdict] }),
};

const overruledTo = { succeed: 'succeeded', fail: 'failed', requeue: 'pending' } as const;
