import { event, eventInPlace, type EventsOf, type MovingType } from '../kernel/event-declaration.js';
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
export interface OfAttempt {
  readonly queue: string;
  readonly attempt: number;
  readonly token: string;
  readonly worker: string;
}

export interface EndOfAttempt extends OfAttempt {
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

/** What a running task becomes when its worker has stopped because of the request. */
export type CancelEnd = 'cancelled' | 'held' | 'failed';

export const TASK_EVENTS = {
  TaskPrepared: event<Submission>({ version: 1, effects: [] }),
  TaskEnqueued: event<Submission & { readonly heldBy?: HoldRef }>({
    version: 1,
    effects: ['offers-work', 'begins-wait'],
  }),
  /** Checks at submission failed: recorded, and final. */
  TaskEnqueueRejected: event<Submission & { readonly error: TaskError }>({ version: 1, effects: ['ends-task'] }),
  TaskSubmitted: event<{ readonly queue: string; readonly heldBy?: HoldRef }>({
    version: 1,
    effects: ['offers-work', 'changes-schedule', 'begins-wait'],
  }),
  TaskHeld: event<{ readonly queue: string; readonly from: FromStatus; readonly heldBy: HoldRef }>({
    version: 1,
    effects: ['frees-key', 'changes-schedule', 'ends-wait'],
  }),
  TaskReleased: event<{ readonly queue: string; readonly by: string }>({
    version: 1,
    effects: ['offers-work', 'changes-schedule', 'begins-wait'],
  }),
  TaskClaimed: event<
    OfAttempt & {
      readonly server: string;
      readonly claimId: string;
      readonly leaseMs: number;
      readonly claimedAt: IsoTime;
      /** From eligible to claimed, in milliseconds by the database clock. */
      readonly waitedMs: number;
      readonly step?: string;
    }
  >({ version: 1, effects: ['changes-schedule', 'begins-run'] }),
  TaskStepCompleted: event<
    EndOfAttempt & {
      readonly step: string;
      readonly next?: string;
      /** `continue`: the same claim goes on with the next step. `offer`: the task goes back and any worker may take it. */
      readonly then: 'continue' | 'offer' | 'finish';
      readonly result?: Json;
    }
  >({ version: 1, effects: ['offers-work', 'begins-wait'] }),
  /** An error was met, but the worker is still at it: the key stays busy and the attempt may yet succeed. */
  TaskErrorReported: eventInPlace<OfAttempt & { readonly error: TaskError }>({ version: 1, effects: [] }),
  /** How an attempt ended; the next event in the same append says what follows for the task. */
  TaskAttemptFailed: event<EndOfAttempt & { readonly error: TaskError }>({
    version: 1,
    effects: ['changes-schedule', 'extends-failure-streak', 'begins-wait'],
  }),
  TaskRetryScheduled: eventInPlace<{
    readonly queue: string;
    readonly dueAt: IsoTime;
    readonly failures: number;
    readonly decidedBy: 'policy';
  }>({ version: 1, effects: ['offers-work', 'changes-schedule', 'begins-wait'] }),
  /** A decision is awaited: retry, or fail for good. */
  TaskDecisionRequested: event<{ readonly queue: string; readonly key?: string; readonly error: TaskError }>({
    version: 1,
    effects: ['frees-key', 'changes-schedule', 'ends-wait'],
  }),
  TaskFailed: event<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly key?: string;
    readonly error: TaskError;
    /** A final failure is never retried. */
    readonly final: boolean;
    readonly decidedBy: string;
    /** The task that already waits for the same key, where that is why this one was not given back (S0-42). */
    readonly conflictingTaskId?: string;
  }>({ version: 1, effects: ['frees-key', 'changes-schedule', 'ends-task'] }),
  TaskRetried: event<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly step?: string;
    readonly override?: boolean;
    readonly heldBy?: HoldRef;
  }>({ version: 1, effects: ['offers-work', 'changes-schedule', 'begins-wait'] }),
  TaskSucceeded: event<EndOfAttempt & { readonly key?: string; readonly result?: Json; readonly noChange?: boolean }>({
    version: 1,
    effects: ['frees-named-key', 'changes-schedule', 'ends-failure-streak', 'ends-task'],
  }),
  /** The worker vanished or was too slow: a lost attempt. Without a further event in the same append the task waits again. */
  TaskLeaseExpired: event<EndOfAttempt>({ version: 1, effects: ['offers-work', 'changes-schedule', 'begins-wait'] }),
  /** Returned by the worker before it began: no attempt is spent. */
  TaskReturned: event<EndOfAttempt>({ version: 1, effects: ['offers-work', 'begins-wait'] }),
  TaskCancelRequested: eventInPlace<
    OfAttempt & { readonly by: string; readonly reason?: string; readonly then: CancelEnd }
  >({
    version: 1,
    effects: [],
  }),
  TaskCancelled: event<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly reason?: string;
  }>({ version: 1, effects: ['frees-key', 'changes-schedule', 'ends-task'] }),
  /** The worker confirmed that it stopped; the next event in the same append is `TaskCancelled` or `TaskHeld`. */
  TaskCancelConfirmed: event<EndOfAttempt>({ version: 1, effects: ['begins-wait'] }),
  TaskAborted: event<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly reason?: string;
    readonly worker?: string;
  }>({ version: 1, effects: ['frees-key', 'changes-schedule', 'ends-task'] }),
  /** A later task of the same key succeeded: the failure is by-the-by, its message stays in the history. */
  TaskSuperseded: event<{ readonly queue: string; readonly from: FromStatus; readonly bySuccessOf: string }>({
    version: 1,
    effects: ['frees-key', 'changes-schedule', 'ends-task'],
  }),
  TaskReprioritised: eventInPlace<{ readonly queue: string; readonly priority: number; readonly previous: number }>({
    version: 1,
    effects: ['offers-work'],
  }),
  TaskRescheduled: eventInPlace<{
    readonly queue: string;
    readonly dueAt: IsoTime | null;
    readonly previous: IsoTime | null;
  }>({ version: 1, effects: ['offers-work', 'changes-schedule'] }),
  TaskPayloadAmended: eventInPlace<{ readonly queue: string; readonly payload: Json; readonly previous: Json }>({
    version: 1,
    effects: [],
  }),
  TaskDeleted: event<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly forced?: boolean;
    readonly worker?: string;
  }>({ version: 1, effects: ['frees-key', 'changes-schedule', 'ends-task'] }),
  /** An administrator ended a running attempt against its worker; the worker's late report is refused. */
  TaskOverruled: event<
    EndOfAttempt & {
      readonly verdict: 'succeed' | 'fail' | 'requeue';
      readonly by: string;
      readonly reason: string;
      readonly key?: string;
    }
  >({ version: 1, effects: ['offers-work', 'changes-schedule', 'ends-failure-streak', 'begins-wait', 'ends-task'] }),
  /**
   * The place of an append that was announced and never came: whoever made it late meets this event instead. Changes nothing else;
   * it may be a stream's first event.
   */
  TaskReservationAbandoned: eventInPlace<{ readonly queue: string; readonly reservation: string }>({
    version: 1,
    effects: ['offers-work', 'fills-abandoned-place'],
  }),
};

export type TaskEvent = EventsOf<typeof TASK_EVENTS>;
export type TaskEventType = TaskEvent['type'];
export type MovingTaskEventType = MovingType<typeof TASK_EVENTS>;
export type TaskEventOf<T extends TaskEventType> = Extract<TaskEvent, { readonly type: T }>;

export type TaskClaimed = TaskEventOf<'TaskClaimed'>;
export type TaskEnqueued = TaskEventOf<'TaskEnqueued'>;
export type TaskFailed = TaskEventOf<'TaskFailed'>;
export type TaskStepCompleted = TaskEventOf<'TaskStepCompleted'>;
export type TaskSucceeded = TaskEventOf<'TaskSucceeded'>;
export type TaskAttemptFailed = TaskEventOf<'TaskAttemptFailed'>;
export type TaskErrorReported = TaskEventOf<'TaskErrorReported'>;
