import {
  event,
  type EventDeclaration,
  eventInPlace,
  type EventsOf,
  type MovingType,
} from '../kernel/event-declaration.js';
import type { IsoTime, Json, JsonObject } from '../kernel/json.js';
import type { WorkerLabels } from '../kernel/worker-labels.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.
// Every event names its queue, and its worker if it had one, so that a read model needs no lookup.
// Absent optional fields are not stored: three events are kept per task, and their bytes are the cost of a task.

/** A task as it was submitted, to compare a repeated submission with. */
export interface Submission {
  readonly queue: string;
  /** The kind of task. */
  readonly kind: string;
  readonly key?: string;
  readonly reference?: string;
  /** Higher runs first. Defaults to 0. */
  readonly priority?: number;
  readonly dueAt?: IsoTime;
  /** Whether `dueAt` is one of the queue's `dueTimes`, and not the caller's. */
  readonly byDueTimes?: true;
  /** From this time on, no worker gets the task: if it still waits, it fails. */
  readonly expiresAt?: IsoTime;
  /** The time to live from which `expiresAt` follows. Absent if the caller named the time. */
  readonly ttlMs?: number;
  /** When the task should be done. */
  readonly deadlineAt?: IsoTime;
  readonly labels?: Readonly<Record<string, string>>;
  readonly description?: string;
  /** What its worker must offer. Absent: what the policy of its queue says. */
  readonly needs?: WorkerLabels;
  /** The event within whose work the task was submitted, such as the claim of another task. */
  readonly context?: string;
  /** The id of the entry in the application's own audit log to which the task belongs. */
  readonly auditContext?: string;
  /** Data of the task from the beginning, which workers and operators change. */
  readonly data?: JsonObject;
  readonly steps?: readonly string[];
  /** The batch that the task is part of. */
  readonly batch?: string;
  /** The batch that the task plans: it adds the batch's tasks and opens it. */
  readonly plans?: string;
  /** What must be done before the task may run. */
  readonly after?: readonly Prerequisite[];
  /** The tasks that a trigger claimed for this one, which is their job. */
  readonly items?: readonly string[];
  /** The failed task that this one runs again. */
  readonly rerunOf?: Rerun;
  /** The places in the payload by which the task is searched, as the policy had them. */
  readonly searchPaths?: readonly string[];
  /** Absent if the task takes in no later submissions. */
  readonly gathers?: Gathers;
  readonly payload?: Json;
}

/** Until it is claimed, the task takes in later submissions of its key that differ in their payload and times only. */
export interface Gathers {
  /** When it is due at the latest. */
  readonly until: IsoTime;
  /** The task has a list of all payloads. Absent: it has the last one. */
  readonly all?: true;
}

/** A failed task, and how far it came: a copy of it goes on from there. */
export interface Rerun {
  readonly task: string;
  /** The step at which the copy begins. Absent: the first one. */
  readonly step?: string;
  /** The last successful step. */
  readonly lastStep?: string;
  /** What workers and operators have recorded about the task. */
  readonly data?: JsonObject;
}

/**
 * A task or a batch that must be done first. If it is aborted, so is the task that waits for it, unless `ignore` is set:
 * then an abort counts as done.
 */
export type Prerequisite = { readonly ignore?: true } & ({ readonly task: string } | { readonly batch: string });

/**
 * `business`: the input is at fault. `application`: the handler failed. `transient`: the environment failed. `bug`: the code is at
 * fault.
 */
export const REPORTED_CLASSES = ['business', 'application', 'transient', 'bug'] as const;
/** The classes that workers and submitters report. */
export type ReportedClass = (typeof REPORTED_CLASSES)[number];

/** The classes of failures that policies retry by. */
export const ATTEMPT_CLASSES = [...REPORTED_CLASSES, 'timeout'] as const;
export type AttemptClass = (typeof ATTEMPT_CLASSES)[number];

/** Only the service says that the worker vanished (`lost`), an attempt took too long (`timeout`), or a task waited too long (`expired`). */
export const ERROR_CLASSES = [...REPORTED_CLASSES, 'lost', 'timeout', 'expired'] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

export interface TaskError {
  readonly message: string;
  readonly class: ErrorClass;
  readonly details?: Json;
  /** The function and file in which it was thrown, where the details with the stack are left out. */
  readonly frame?: string;
  /** Of an erased error: the group of failures to which it belonged. */
  readonly group?: string;
}

/** Who holds the task, and why. */
export interface HoldRef {
  readonly by: string;
  readonly reason?: string;
  /** The hold that caught the task. Absent if a person holds this task alone. */
  readonly hold?: string;
}

/** The attempt an event ends or touches. `token` is the fencing token of its claim. */
export interface OfAttempt {
  readonly queue: string;
  readonly attempt: number;
  readonly token: string;
  readonly worker: string;
}

export interface EndOfAttempt extends OfAttempt {
  /** Milliseconds from the claim to this event, by the database's clock. */
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

/** Those of a task that has not ended. */
export const OPEN_STATUSES = [
  'prepared',
  'pending',
  'held',
  'running',
  'undecided',
] as const satisfies readonly TaskStatus[];

/** Whether a task in this state has not ended. */
export const isOpen = (status: TaskStatus): boolean => (OPEN_STATUSES as readonly TaskStatus[]).includes(status);

/** The status before an event that can leave several statuses. */
export type FromStatus = Exclude<TaskStatus, 'deleted'>;

/** What a task can be again after an undo. One that ran waits, because its worker is gone. */
export type RestoredStatus = Exclude<TaskStatus, 'running' | 'deleted'>;

/** What a task had before a command that is undone, as far as such commands change it. Absent: 0, nothing or false. */
export interface Restored {
  readonly failures: number;
  readonly lost: number;
  readonly lostBy?: readonly string[];
  /** The next step. */
  readonly step?: string;
  /** It had been released or, with steps, claimed or retried at one. */
  readonly entered?: true;
  /** The part of both counts from before the step. */
  readonly beforeStep?: { readonly failures: number; readonly lost: number };
  readonly expiresAt?: IsoTime;
  /** The position of the event with which it took its place in line, decimal. Absent: its first one, or it has none. */
  readonly place?: string;
}

/** What a running task becomes when its worker has stopped because of the request. */
export type CancelEnd = 'cancelled' | 'held' | 'failed';

/** From which status to which an event takes its task. */
export interface Moves<Data = never> {
  /** Null: the task is new. A function: it can leave several. */
  readonly from: TaskStatus | null | ((data: Data) => TaskStatus);
  /** Null: it stays as it is. */
  readonly to: TaskStatus | ((data: Data) => TaskStatus | null);
}

/** As `event`, for those that may change the status. */
const movingEvent = <Data extends object>(
  declaration: Parameters<typeof event<Data>>[0] & { readonly moves: Moves<Data> },
): EventDeclaration<Data, 1> & { readonly moves: Moves<Data> } => ({
  ...event<Data>(declaration),
  moves: declaration.moves,
});

const named = ({ from }: { readonly from: TaskStatus }): TaskStatus => from;

/**
 * The end of an attempt puts its task back to pending. The next event of the same append says what follows and names `running` as the
 * status before.
 */
const afterAttempt = ({ from }: { readonly from: TaskStatus }): TaskStatus => (from === 'running' ? 'pending' : from);

const waiting = ({ heldBy }: { readonly heldBy?: HoldRef }): TaskStatus => (heldBy ? 'held' : 'pending');

const BACK_IN_LINE = { from: 'running', to: 'pending' } as const;

const OVERRULED_TO = { succeed: 'succeeded', fail: 'failed', requeue: 'pending' } as const;

/** What a submission says of the task's contents. */
const CONTENTS = {
  key: true,
  reference: true,
  labels: true,
  description: true,
  data: true,
  rerunOf: true,
  payload: true,
} as const;

export const TASK_EVENTS = {
  TaskPrepared: movingEvent<Submission>({
    version: 1,
    moves: { from: null, to: 'prepared' },
    effects: [],
    shared: ['queue', 'kind', 'priority', 'dueAt', 'byDueTimes', 'expiresAt', 'ttlMs', 'deadlineAt', 'batch'],
    private: CONTENTS,
  }),
  TaskEnqueued: movingEvent<Submission & { readonly heldBy?: HoldRef }>({
    version: 1,
    moves: { from: null, to: waiting },
    effects: ['offers-work', 'begins-wait'],
    shared: ['queue', 'kind', 'priority', 'dueAt', 'byDueTimes', 'expiresAt', 'ttlMs', 'deadlineAt', 'batch'],
    private: CONTENTS,
  }),
  /** A check at submission failed. The task is recorded as failed for good. */
  TaskEnqueueRejected: movingEvent<Submission & { readonly error: TaskError }>({
    version: 1,
    moves: { from: null, to: 'failed' },
    effects: ['ends-task'],
    private: { ...CONTENTS, error: true },
  }),
  TaskSubmitted: movingEvent<{ readonly queue: string; readonly heldBy?: HoldRef }>({
    version: 1,
    moves: { from: 'prepared', to: waiting },
    effects: ['offers-work', 'changes-schedule', 'begins-wait'],
    shared: ['queue'],
  }),
  TaskHeld: movingEvent<{ readonly queue: string; readonly from: FromStatus; readonly heldBy: HoldRef }>({
    version: 1,
    moves: { from: afterAttempt, to: 'held' },
    effects: ['frees-key', 'changes-schedule', 'ends-wait'],
    command: 'bulk',
    shared: ['queue', 'from'],
  }),
  TaskReleased: movingEvent<{ readonly queue: string; readonly by: string }>({
    version: 1,
    moves: { from: 'held', to: 'pending' },
    effects: ['offers-work', 'changes-schedule', 'begins-wait'],
    command: 'bulk',
    shared: ['queue', 'by'],
  }),
  TaskClaimed: movingEvent<
    OfAttempt & {
      readonly server: string;
      /** The version of the worker's program, if it said one. */
      readonly build?: string;
      readonly claimId: string;
      readonly leaseMs: number;
      readonly claimedAt: IsoTime;
      /** Milliseconds from the time the task could be claimed to the claim, by the database's clock. */
      readonly waitedMs: number;
      readonly step?: string;
      /** When the attempt ends at the latest, by its queue's longest run time. */
      readonly runUntil?: IsoTime;
      /** What the worker offered, if the task needed anything. */
      readonly offers?: WorkerLabels;
      /** The task for which a trigger made this claim. Whoever runs that task gets this one with it. */
      readonly job?: string;
    }
  >({
    version: 1,
    moves: { from: 'pending', to: 'running' },
    effects: ['changes-schedule', 'begins-run'],
    shared: [
      'queue',
      'attempt',
      'worker',
      'server',
      'build',
      'claimId',
      'leaseMs',
      'claimedAt',
      'waitedMs',
      'step',
      'runUntil',
      'job',
    ],
  }),
  TaskStepCompleted: movingEvent<
    EndOfAttempt & {
      readonly step: string;
      readonly next?: string;
      /** `continue`: the same claim continues with the next step. `offer`: the task waits again, and any worker may claim it. */
      readonly then: 'continue' | 'offer' | 'finish';
      /** With `continue`: when the attempt ends at the latest from now on. */
      readonly runUntil?: IsoTime;
      /** With `offer`: the task gives its key back. */
      readonly key?: string;
      readonly result?: Json;
      /** Changes of the task's data. */
      readonly data?: JsonObject;
      /** The task's new priority. */
      readonly priority?: number;
      /** The last successful step stays as it was. */
      readonly unmarked?: true;
    }
  >({
    version: 1,
    moves: { from: 'running', to: ({ then }) => (then === 'offer' ? 'pending' : null) },
    effects: ['offers-work', 'begins-wait'],
    private: { key: true, result: true, data: true },
  }),
  /** Changes of the task's data: each member takes the place of the one before, and null removes it. */
  TaskDataRecorded: eventInPlace<Partial<OfAttempt> & { readonly queue: string; readonly patch: JsonObject }>({
    version: 1,
    effects: [],
    command: 'single',
    private: { patch: true },
  }),
  /** The worker met an error but continues: the key stays busy, and the attempt may still succeed. */
  TaskErrorReported: eventInPlace<OfAttempt & { readonly error: TaskError }>({
    version: 1,
    effects: [],
    byWorker: true,
    private: { error: true },
  }),
  /** How an attempt ended; the next event in the same append says what follows for the task. */
  TaskAttemptFailed: movingEvent<EndOfAttempt & { readonly error: TaskError }>({
    version: 1,
    moves: BACK_IN_LINE,
    effects: ['changes-schedule', 'extends-failure-streak', 'begins-wait'],
    shared: ['queue', 'attempt', 'worker', 'ranMs'],
    private: { error: true },
  }),
  TaskRetryScheduled: eventInPlace<{
    readonly queue: string;
    readonly dueAt: IsoTime;
    readonly failures: number;
    readonly decidedBy: 'policy';
  }>({
    version: 1,
    effects: ['offers-work', 'changes-schedule', 'begins-wait'],
    shared: ['queue', 'dueAt', 'failures', 'decidedBy'],
  }),
  /** A person must decide whether to retry the task or to let it fail. */
  TaskDecisionRequested: movingEvent<{ readonly queue: string; readonly key?: string; readonly error: TaskError }>({
    version: 1,
    moves: { from: 'pending', to: 'undecided' },
    effects: ['frees-key', 'changes-schedule', 'ends-wait'],
    private: { key: true, error: true },
  }),
  TaskFailed: movingEvent<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly key?: string;
    readonly error: TaskError;
    /** A final failure is never retried. */
    readonly final: boolean;
    readonly decidedBy: string;
    /** As many automatic retries failed as the policy allows, or as many leases were lost. */
    readonly exhausted?: true;
    /** The task that is waiting with the same key, if that is why this one failed instead of waiting again (S0-42). */
    readonly conflictingTaskId?: string;
    /** Milliseconds from the claim to this event, by the database's clock, if the failure ends an attempt. */
    readonly ranMs?: number;
  }>({
    version: 1,
    moves: { from: afterAttempt, to: 'failed' },
    effects: ['frees-key', 'changes-schedule', 'ends-task'],
    command: 'single',
    shared: ['queue', 'from', 'final', 'decidedBy', 'ranMs'],
    private: { key: true, error: true },
  }),
  TaskRetried: movingEvent<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly step?: string;
    readonly override?: boolean;
    readonly heldBy?: HoldRef;
  }>({
    version: 1,
    moves: { from: named, to: waiting },
    effects: ['offers-work', 'changes-schedule', 'begins-wait'],
    command: 'bulk',
    shared: ['queue', 'from', 'by', 'step', 'override'],
  }),
  TaskSucceeded: movingEvent<
    EndOfAttempt & {
      readonly key?: string;
      /** The task that this one ran again. */
      readonly rerunOf?: string;
      readonly result?: Json;
      readonly noChange?: boolean;
    }
  >({
    version: 1,
    moves: { from: 'running', to: 'succeeded' },
    effects: ['frees-named-key', 'changes-schedule', 'ends-failure-streak', 'ends-task'],
    shared: ['queue', 'attempt', 'worker', 'ranMs', 'noChange'],
    private: { key: true, result: true },
  }),
  /** The worker vanished or was too slow, so the attempt is lost. Without another event in the same append, the task waits again. */
  TaskLeaseExpired: movingEvent<
    EndOfAttempt & {
      /** No heartbeat came since the claim: the worker ended before its first one, or never got the task. */
      readonly unheard?: true;
    }
  >({
    version: 1,
    moves: BACK_IN_LINE,
    effects: ['offers-work', 'changes-schedule', 'begins-wait'],
    shared: ['queue', 'attempt', 'worker', 'ranMs', 'unheard'],
  }),
  /**
   * A worker reported under a claim that had ended without its word: its lease was lost, or the attempt was ended against
   * it. Every such report is refused; the first of each claim is recorded.
   */
  TaskLateReportRefused: eventInPlace<
    OfAttempt & {
      /** The report: `succeed`, `fail`, `extend` and so on. */
      readonly report: string;
    }
  >({ version: 1, effects: [], byWorker: true }),
  /** The worker returned the task without an outcome; the claim does not count as an attempt. */
  TaskReturned: movingEvent<
    EndOfAttempt & {
      /** The worker did not begin the task, which keeps its place in line. */
      readonly unstarted?: true;
    }
  >({
    version: 1,
    moves: BACK_IN_LINE,
    effects: ['offers-work', 'begins-wait'],
    shared: ['queue', 'attempt', 'worker', 'ranMs', 'unstarted'],
  }),
  /**
   * The handler waits for a signal, or for a time alone. The attempt ended, and does not count as one: the task is given out again
   * when the signal comes, or when it is due, and the handler runs anew.
   */
  TaskWaited: movingEvent<
    EndOfAttempt & {
      readonly signal?: string;
      /** From 1, among the waits of the step for the same signal. */
      readonly number: number;
      /** When the wait is over at the latest. */
      readonly dueAt: IsoTime;
    }
  >({
    version: 1,
    moves: BACK_IN_LINE,
    effects: ['offers-work', 'changes-schedule', 'begins-wait'],
    shared: ['queue', 'attempt', 'worker', 'ranMs', 'signal', 'number', 'dueAt'],
  }),
  /** Somebody signalled the task, whether or not it waits for that yet. */
  TaskSignalled: eventInPlace<{ readonly queue: string; readonly signal: string; readonly data: Json }>({
    version: 1,
    effects: [],
    command: 'single',
    private: { data: true },
  }),
  /** The handler learnt how its wait ended. It learns the same whenever it runs again. */
  TaskWaitEnded: eventInPlace<
    OfAttempt & {
      readonly signal?: string;
      readonly number: number;
      /** `signal`: the first of this name that no other wait had. */
      readonly by: 'signal' | 'time';
    }
  >({ version: 1, effects: [], byWorker: true, shared: ['queue', 'attempt', 'worker', 'signal', 'number', 'by'] }),
  TaskCancelRequested: eventInPlace<
    OfAttempt & {
      readonly by: string;
      readonly reason?: string;
      readonly then: CancelEnd;
      /** The system, or the worker, shuts down. */
      readonly shutdown?: true;
    }
  >({
    version: 1,
    effects: [],
    command: 'bulk',
    byWorker: false,
  }),
  TaskCancelled: movingEvent<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly reason?: string;
    /** A shutdown stopped the task, which may be resumed together with the others that it stopped. */
    readonly shutdown?: true;
  }>({
    version: 1,
    moves: { from: afterAttempt, to: 'cancelled' },
    effects: ['frees-key', 'changes-schedule', 'ends-task'],
    command: 'bulk',
    shared: ['queue', 'from', 'by', 'shutdown'],
  }),
  /** The worker confirmed that it stopped; the next event in the same append is `TaskCancelled` or `TaskHeld`. */
  TaskCancelConfirmed: movingEvent<EndOfAttempt>({ version: 1, moves: BACK_IN_LINE, effects: ['begins-wait'] }),
  TaskAborted: movingEvent<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly reason?: string;
    readonly worker?: string;
    /** The task or batch whose abort led to this one. */
    readonly prerequisite?: string;
  }>({
    version: 1,
    moves: { from: named, to: 'aborted' },
    effects: ['frees-key', 'changes-schedule', 'ends-task'],
    command: 'bulk',
    shared: ['queue', 'from', 'by', 'worker', 'prerequisite'],
  }),
  /**
   * Another task with the same key, or one that ran this one again, has succeeded since, so the failure no longer matters. Its
   * message stays in the history.
   */
  TaskSuperseded: movingEvent<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly bySuccessOf: string;
    /** The task that this one ran again. */
    readonly rerunOf?: string;
  }>({
    version: 1,
    moves: { from: named, to: 'superseded' },
    effects: ['frees-key', 'changes-schedule', 'ends-task'],
  }),
  TaskReprioritised: eventInPlace<{ readonly queue: string; readonly priority: number; readonly previous: number }>({
    version: 1,
    effects: ['offers-work'],
    command: 'bulk',
    shared: ['queue', 'priority', 'previous'],
  }),
  TaskRescheduled: eventInPlace<{
    readonly queue: string;
    readonly dueAt: IsoTime | null;
    readonly previous: IsoTime | null;
  }>({ version: 1, effects: ['offers-work', 'changes-schedule'] }),
  /** The task was not done when it should have been. Recorded once per deadline. */
  TaskDeadlineMissed: eventInPlace<{ readonly queue: string; readonly deadlineAt: IsoTime }>({
    version: 1,
    effects: ['misses-deadline'],
    shared: ['queue', 'deadlineAt'],
  }),
  TaskPayloadAmended: eventInPlace<{
    readonly queue: string;
    readonly payload: Json;
    readonly previous: Json;
    /** The new end of the wait, if the submission that replaced the payload brought another one. */
    readonly expiresAt?: IsoTime;
    /** The new deadline, which the task has not missed. */
    readonly deadlineAt?: IsoTime;
    /** Those of the submission. */
    readonly searchPaths?: readonly string[];
  }>({ version: 1, effects: [], command: 'single', private: { payload: true, previous: true } }),
  /** A submission became part of this waiting task. */
  TaskSubmissionGathered: eventInPlace<{
    readonly queue: string;
    /** When the task is due now; null: at once. */
    readonly dueAt: IsoTime | null;
    readonly payload: Json;
    /** The new end of the wait, if the submission brought another one. */
    readonly expiresAt?: IsoTime;
    /** The new deadline, which the task has not missed. */
    readonly deadlineAt?: IsoTime;
    readonly auditContext?: string;
    /** Those of the task. */
    readonly searchPaths?: readonly string[];
  }>({
    version: 1,
    effects: ['offers-work', 'changes-schedule'],
    shared: ['queue', 'dueAt', 'expiresAt', 'deadlineAt'],
    private: { payload: true },
  }),
  TaskPrerequisitesChanged: eventInPlace<{
    readonly queue: string;
    readonly added: readonly Prerequisite[];
    /** The ids of tasks and batches. */
    readonly waived: readonly string[];
  }>({ version: 1, effects: ['offers-work', 'changes-schedule'], command: 'single' }),
  TaskDeleted: movingEvent<{
    readonly queue: string;
    readonly from: FromStatus;
    readonly by: string;
    readonly forced?: boolean;
    readonly worker?: string;
  }>({
    version: 1,
    moves: { from: named, to: 'deleted' },
    effects: ['frees-key', 'changes-schedule', 'ends-task'],
    command: 'bulk',
    shared: ['queue', 'from', 'by', 'forced', 'worker'],
  }),
  /** An administrator ended a running attempt, whatever its worker reports; later reports are refused. */
  TaskOverruled: movingEvent<
    EndOfAttempt & {
      readonly verdict: 'succeed' | 'fail' | 'requeue';
      readonly by: string;
      readonly reason: string;
      readonly key?: string;
      /** Of a success: the task that this one ran again. */
      readonly rerunOf?: string;
      /** Of a failure. Absent: `application`. */
      readonly class?: ErrorClass;
      /** Of a success: the result. Of a failure: the details of its error. */
      readonly result?: Json;
    }
  >({
    version: 1,
    moves: { from: 'running', to: ({ verdict }) => OVERRULED_TO[verdict] },
    effects: ['offers-work', 'changes-schedule', 'ends-failure-streak', 'begins-wait', 'ends-task'],
    command: 'single',
    private: { key: true, result: true },
  }),
  /** An operation was undone: the task is as before it, by its own history. */
  TaskRestored: movingEvent<{
    readonly queue: string;
    readonly from: TaskStatus;
    readonly to: RestoredStatus;
    /** The operation. */
    readonly undoes: string;
    readonly by: string;
    readonly was: Restored;
    /** Of a held task. */
    readonly heldBy?: HoldRef;
    /** Of a failed or undecided task. */
    readonly error?: TaskError;
    /** The failure is never retried. */
    readonly final?: true;
    /** A shutdown had cancelled the task. */
    readonly shutdown?: true;
  }>({
    version: 1,
    moves: { from: named, to: ({ from, to }) => (from === to ? null : to) },
    effects: ['offers-work', 'frees-key', 'changes-schedule'],
    command: 'bulk',
    shared: ['queue', 'from', 'to', 'undoes', 'by', 'final', 'shutdown'],
    private: { error: true },
  }),
  /** From now on the private halves of the task's events before this one are erased. The erasure is the id of its order. */
  TaskErased: eventInPlace<{ readonly queue: string; readonly erasure: string }>({
    version: 1,
    effects: [],
    command: 'bulk',
    shared: ['queue', 'erasure'],
  }),
  /**
   * A fence: takes the place of a reserved append that never arrived, so that a late append conflicts with it. It
   * changes nothing else, and may be the first event of a stream.
   */
  TaskReservationAbandoned: eventInPlace<{ readonly queue: string; readonly reservation: string }>({
    version: 1,
    effects: ['offers-work', 'fills-abandoned-place'],
  }),
};

export type TaskEvent = EventsOf<typeof TASK_EVENTS>;

/** Events after which a task is as it was: a refused report, and the place of an append that never arrived. */
export const CHANGE_NOTHING: readonly (keyof typeof TASK_EVENTS)[] = [
  'TaskLateReportRefused',
  'TaskReservationAbandoned',
];

/** What the event gives back from before a command; null if it undoes none. */
export const restoredIn = (event: TaskEvent): Restored | null =>
  event.type === 'TaskRestored' ? event.data.was : null;

export type TaskEventType = TaskEvent['type'];
export const TASK_EVENT_TYPES = Object.keys(TASK_EVENTS) as readonly TaskEventType[];
export type MovingTaskEventType = MovingType<typeof TASK_EVENTS>;
export type TaskEventOf<T extends TaskEventType> = Extract<TaskEvent, { readonly type: T }>;

export type TaskClaimed = TaskEventOf<'TaskClaimed'>;
export type TaskEnqueued = TaskEventOf<'TaskEnqueued'>;
export type TaskFailed = TaskEventOf<'TaskFailed'>;
export type TaskStepCompleted = TaskEventOf<'TaskStepCompleted'>;
export type TaskSucceeded = TaskEventOf<'TaskSucceeded'>;
export type TaskAttemptFailed = TaskEventOf<'TaskAttemptFailed'>;
export type TaskErrorReported = TaskEventOf<'TaskErrorReported'>;
