import type { IsoTime, Json } from '../kernel/json.js';

// STORAGE FORMAT. Names, versions and shapes below are stored for ever: add events or upcast, never edit.
// Every event names its queue, and its worker where one was at work, so that a read model needs no look-up.
// Absent optional fields are not stored: three events are kept per task, and their bytes are the cost of a task.

/** A task as it was handed in: what a repeated submission is compared with. */
export interface Submission {
  readonly queue: string;
  /** Names the handler that can work the task. */
  readonly kind: string;
  readonly key?: string;
  readonly reference?: string;
  /** Higher first; 0 when absent. */
  readonly priority?: number;
  readonly dueAt?: IsoTime;
  /** The queue's schedule said when, not whoever handed the task in. */
  readonly bySchedule?: true;
  readonly labels?: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly steps?: readonly string[];
  readonly payload?: Json;
}

/** `business`: the input is at fault. `application`: the handler failed. `transient`: the world failed. `bug`: the code is at fault. */
export type ErrorClass = 'business' | 'application' | 'transient' | 'bug';

export const ERROR_CLASSES: readonly ErrorClass[] = ['business', 'application', 'transient', 'bug'];

export interface TaskError {
  readonly message: string;
  readonly class: ErrorClass;
  readonly details?: Json;
}

/** Who holds a task back, and why. */
export interface HoldRef {
  readonly by: string;
  readonly reason?: string;
}

/** The attempt an event ends or touches. `token` is the fencing token of its claim. */
interface OfAttempt {
  readonly queue: string;
  readonly attempt: number;
  readonly token: string;
  readonly worker: string;
}

interface EndOfAttempt extends OfAttempt {
  /** From claim to this event, in milliseconds by the database clock. */
  readonly ranMs: number;
}

/** Every status that a task can have. */
export const TASK_STATUSES = [
  'prepared',
  'pending',
  'held',
  'running',
  'undecided',
  'failed',
  'succeeded',
  'cancelled',
  'aborted',
  'superseded',
  'deleted',
] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The status a task had before an event that may come from several. */
export type FromStatus = Exclude<TaskStatus, 'deleted'>;

export type TaskPrepared = { readonly type: 'TaskPrepared'; readonly version: 1; readonly data: Submission };
export type TaskEnqueued = {
  readonly type: 'TaskEnqueued';
  readonly version: 1;
  readonly data: Submission & { readonly heldBy?: HoldRef };
};
/** Checks at submission failed: recorded, and final. */
export type TaskEnqueueRejected = {
  readonly type: 'TaskEnqueueRejected';
  readonly version: 1;
  readonly data: Submission & { readonly error: TaskError };
};
export type TaskSubmitted = {
  readonly type: 'TaskSubmitted';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly heldBy?: HoldRef };
};
export type TaskHeld = {
  readonly type: 'TaskHeld';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly from: FromStatus; readonly heldBy: HoldRef };
};
export type TaskReleased = {
  readonly type: 'TaskReleased';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly by: string };
};
export type TaskClaimed = {
  readonly type: 'TaskClaimed';
  readonly version: 1;
  readonly data: OfAttempt & {
    readonly server: string;
    readonly claimId: string;
    readonly leaseMs: number;
    readonly claimedAt: IsoTime;
    /** From eligible to claimed, in milliseconds by the database clock. */
    readonly waitedMs: number;
    readonly step?: string;
  };
};
export type TaskStepCompleted = {
  readonly type: 'TaskStepCompleted';
  readonly version: 1;
  readonly data: EndOfAttempt & {
    readonly step: string;
    readonly next?: string;
    /** `continue`: the same claim goes on with the next step. `offer`: the task goes back and any worker may take it. */
    readonly then: 'continue' | 'offer' | 'finish';
    readonly result?: Json;
  };
};
/** An error was met, but the worker is still at it: the key stays busy and the attempt may yet succeed. */
export type TaskErrorReported = {
  readonly type: 'TaskErrorReported';
  readonly version: 1;
  readonly data: OfAttempt & { readonly error: TaskError };
};
/** How an attempt ended; the next event in the same append says what follows for the task. */
export type TaskAttemptFailed = {
  readonly type: 'TaskAttemptFailed';
  readonly version: 1;
  readonly data: EndOfAttempt & { readonly error: TaskError };
};
export type TaskRetryScheduled = {
  readonly type: 'TaskRetryScheduled';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    readonly dueAt: IsoTime;
    readonly failures: number;
    readonly decidedBy: 'policy';
  };
};
/** A decision is awaited: retry, or fail for good. */
export type TaskDecisionRequested = {
  readonly type: 'TaskDecisionRequested';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly key?: string; readonly error: TaskError };
};
export type TaskFailed = {
  readonly type: 'TaskFailed';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    readonly from: FromStatus;
    readonly key?: string;
    readonly error: TaskError;
    /** A final failure is never retried. */
    readonly final: boolean;
    readonly decidedBy: string;
    /** The task that already waits for the same key, where that is why this one was not given back (S0-42). */
    readonly conflictingTaskId?: string;
  };
};
export type TaskRetried = {
  readonly type: 'TaskRetried';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly step?: string;
    readonly override?: boolean;
    readonly heldBy?: HoldRef;
  };
};
export type TaskSucceeded = {
  readonly type: 'TaskSucceeded';
  readonly version: 1;
  readonly data: EndOfAttempt & { readonly key?: string; readonly result?: Json; readonly noChange?: boolean };
};
/** The worker vanished or was too slow: a lost attempt. Without a further event in the same append the task waits again. */
export type TaskLeaseExpired = { readonly type: 'TaskLeaseExpired'; readonly version: 1; readonly data: EndOfAttempt };
/** Returned by the worker before it began: no attempt is spent. */
export type TaskReturned = { readonly type: 'TaskReturned'; readonly version: 1; readonly data: EndOfAttempt };
/** What a running task becomes when its worker has stopped because of the request. */
export type CancelEnd = 'cancelled' | 'held' | 'failed';

export type TaskCancelRequested = {
  readonly type: 'TaskCancelRequested';
  readonly version: 1;
  readonly data: OfAttempt & { readonly by: string; readonly reason?: string; readonly then: CancelEnd };
};
export type TaskCancelled = {
  readonly type: 'TaskCancelled';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly from: FromStatus; readonly by: string; readonly reason?: string };
};
/** The worker confirmed that it stopped; the next event in the same append is `TaskCancelled` or `TaskHeld`. */
export type TaskCancelConfirmed = {
  readonly type: 'TaskCancelConfirmed';
  readonly version: 1;
  readonly data: EndOfAttempt;
};
export type TaskAborted = {
  readonly type: 'TaskAborted';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly reason?: string;
    readonly worker?: string;
  };
};
/** A later task of the same key succeeded: the failure is by-the-by, its message stays in the history. */
export type TaskSuperseded = {
  readonly type: 'TaskSuperseded';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly from: FromStatus; readonly bySuccessOf: string };
};
export type TaskReprioritised = {
  readonly type: 'TaskReprioritised';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly priority: number; readonly previous: number };
};
export type TaskRescheduled = {
  readonly type: 'TaskRescheduled';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly dueAt: IsoTime | null; readonly previous: IsoTime | null };
};
export type TaskPayloadAmended = {
  readonly type: 'TaskPayloadAmended';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly payload: Json; readonly previous: Json };
};
export type TaskDeleted = {
  readonly type: 'TaskDeleted';
  readonly version: 1;
  readonly data: {
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly forced?: boolean;
    readonly worker?: string;
  };
};
/** An administrator ended a running attempt against its worker; the worker's late report is refused. */
export type TaskOverruled = {
  readonly type: 'TaskOverruled';
  readonly version: 1;
  readonly data: EndOfAttempt & {
    readonly verdict: 'succeed' | 'fail' | 'requeue';
    readonly by: string;
    readonly reason: string;
    readonly key?: string;
  };
};
/**
 * The place of an append that was announced and never came: whoever made it late meets this event instead. Changes nothing else;
 * it may be a stream's first event.
 */
export type TaskReservationAbandoned = {
  readonly type: 'TaskReservationAbandoned';
  readonly version: 1;
  readonly data: { readonly queue: string; readonly reservation: string };
};

export type TaskEvent =
  | TaskPrepared
  | TaskEnqueued
  | TaskEnqueueRejected
  | TaskSubmitted
  | TaskHeld
  | TaskReleased
  | TaskClaimed
  | TaskStepCompleted
  | TaskErrorReported
  | TaskAttemptFailed
  | TaskRetryScheduled
  | TaskDecisionRequested
  | TaskFailed
  | TaskRetried
  | TaskSucceeded
  | TaskLeaseExpired
  | TaskReturned
  | TaskCancelRequested
  | TaskCancelConfirmed
  | TaskCancelled
  | TaskAborted
  | TaskSuperseded
  | TaskReprioritised
  | TaskRescheduled
  | TaskPayloadAmended
  | TaskDeleted
  | TaskOverruled
  | TaskReservationAbandoned;

export type TaskEventType = TaskEvent['type'];
