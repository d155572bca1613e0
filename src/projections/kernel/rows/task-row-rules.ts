import type { IsoTime } from '../../../domain/kernel/json.js';
import type {
  HoldRef,
  Restored,
  RestoredStatus,
  Submission,
  TaskError,
  TaskEvent,
  TaskEventOf,
  TaskEventType,
} from '../../../domain/task/task.events.js';
import { payloadTerms } from '../../../domain/search/payload-terms.js';
import { UNCHANGED, Writes, type TaskRowChange } from './task-row-change.js';

export { enters, placeIn, takesPlace, wasEntered } from '../../../domain/task/turns.events.js';

/**
 * What `event` does to its task's row. The append function, the follower and the rebuild all use this rule. Throws on a
 * type without a rule. It runs for every stored event, so it allocates nothing but its result.
 */
export function taskRowChange(event: TaskEvent): TaskRowChange {
  const rule = rules[event.type] as ((data: TaskEvent['data']) => TaskRowChange) | undefined;
  if (!rule) throw new Error(`Expected to project '${event.type}' onto the row of its task, but it has no rule`);
  return rule(event.data);
}

/** Whether a person or the policy retries the task. An append has at most one such event of a task. */
export const retries = ({ type }: TaskEvent): boolean => type === 'TaskRetried' || type === 'TaskRetryScheduled';

/** Whether a shutdown cancelled a cancelled task, rather than a person. */
export function wasStopped(events: readonly TaskEvent[]): boolean {
  const last = events.findLast(({ type }) => type === 'TaskCancelled' || type === 'TaskRestored');
  return last !== undefined && 'shutdown' in last.data && last.data.shutdown === true;
}

/** The hold that caught the task, if the last event that holds it names one. */
export function holdIn(events: readonly TaskEvent[]): string | null {
  const last = events.findLast(({ data }) => 'heldBy' in data)?.data as { readonly heldBy: HoldRef } | undefined;
  return last?.heldBy.hold ?? null;
}

type Rules = {
  readonly [T in TaskEventType]: (data: TaskEventOf<T>['data']) => TaskRowChange;
};

/** The worker is that of the current or last attempt. A waiting task has none. */
const WAITS_AGAIN = Writes.worker;
const LEAVES_FAILURE = Writes.failedAt | Writes.finishedAt;
/** Whoever retries a task wants it done, however long it has waited. */
const RETRIED = WAITS_AGAIN | LEAVES_FAILURE | Writes.error | Writes.expiresAt | Writes.waitsFor;

const rules: Rules = {
  TaskPrepared: (data) => created(data, 'prepared'),
  TaskEnqueued: (data) => created(data, waiting(data.heldBy)),
  TaskEnqueueRejected: (data) => failedWith(created(data, 'failed'), data.error),
  TaskSubmitted: (data) => ({ ...UNCHANGED, state: waiting(data.heldBy) }),
  TaskHeld: () => ({ ...UNCHANGED, state: 'held', writes: WAITS_AGAIN }),
  TaskReleased: () => ({ ...UNCHANGED, state: 'pending' }),
  // Clears the error of the previous attempt. An error on a running task was reported by its current attempt.
  TaskClaimed: (data) => ({
    ...UNCHANGED,
    state: 'running',
    attempt: data.attempt,
    startedAt: data.claimedAt,
    writes: Writes.worker | Writes.error | Writes.runUntil | Writes.waitsFor,
    worker: data.worker,
    runUntil: data.runUntil ?? null,
  }),
  TaskStepCompleted: ({ then, step: completed, next: step = null, unmarked, priority = null, runUntil = null }) => {
    const writes = Writes.step | Writes.runUntil;
    const done = { ...UNCHANGED, priority, lastStep: unmarked ? null : completed, writes, step, runUntil };
    return then === 'offer' ? { ...done, state: 'pending', writes: writes | WAITS_AGAIN } : done;
  },
  TaskDataRecorded: () => UNCHANGED,
  TaskErrorReported: (data) => withError(UNCHANGED, data.error),
  TaskAttemptFailed: (data) => withError(UNCHANGED, data.error),
  TaskRetryScheduled: (data) => ({
    ...UNCHANGED,
    state: 'pending',
    writes: WAITS_AGAIN | Writes.dueAt,
    dueAt: data.dueAt,
  }),
  TaskDecisionRequested: (data) => ({
    ...UNCHANGED,
    state: 'undecided',
    writes: Writes.error | Writes.failedAt,
    error: data.error.message,
    errorClass: data.error.class,
    failed: true,
  }),
  TaskFailed: (data) => failedWith(UNCHANGED, data.error),
  TaskRetried: ({ heldBy, step }) => {
    const retried = { ...UNCHANGED, state: waiting(heldBy), writes: RETRIED };
    return step === undefined ? retried : { ...retried, writes: retried.writes | Writes.step, step };
  },
  TaskSucceeded: () => succeeded,
  TaskLeaseExpired: () => ({ ...UNCHANGED, state: 'pending', writes: WAITS_AGAIN }),
  TaskLateReportRefused: () => UNCHANGED,
  TaskReturned: (data) => ({ ...UNCHANGED, state: 'pending', attempt: data.attempt - 1, writes: WAITS_AGAIN }),
  TaskWaited: ({ attempt, dueAt, signal }) => ({
    ...UNCHANGED,
    state: 'pending',
    attempt: attempt - 1,
    writes: WAITS_AGAIN | Writes.dueAt | Writes.waitsFor,
    dueAt,
    waitsFor: signal === undefined ? 'time' : 'signal',
  }),
  TaskSignalled: () => UNCHANGED,
  TaskWaitEnded: () => UNCHANGED,
  TaskCancelRequested: () => UNCHANGED,
  TaskCancelConfirmed: () => UNCHANGED,
  TaskCancelled: () => ended('cancelled'),
  TaskAborted: () => ended('aborted'),
  TaskSuperseded: () => ended('superseded'),
  TaskReprioritised: (data) => ({ ...UNCHANGED, priority: data.priority }),
  TaskRescheduled: (data) => ({ ...UNCHANGED, writes: Writes.dueAt | Writes.waitsFor, dueAt: data.dueAt }),
  TaskDeadlineMissed: () => ({ ...UNCHANGED, writes: Writes.missed, missed: true }),
  TaskPayloadAmended: ({ expiresAt = null, deadlineAt = null, payload, searchPaths }) => {
    const limited = expiresAt === null && deadlineAt === null ? UNCHANGED : limitedAnew(expiresAt, deadlineAt);
    return searchPaths === undefined ? limited : searchedBy(limited, payloadTerms(payload, searchPaths));
  },
  TaskSubmissionGathered: ({ dueAt, expiresAt = null, deadlineAt = null, payload, searchPaths }) => {
    const limited = limitedAnew(expiresAt, deadlineAt);
    const due = { ...limited, writes: limited.writes | Writes.dueAt, dueAt };
    return searchPaths === undefined ? due : searchedBy(due, payloadTerms(payload, searchPaths));
  },
  TaskPrerequisitesChanged: () => UNCHANGED,
  TaskDeleted: () => ended('deleted'),
  TaskOverruled: (data) => {
    if (data.verdict === 'succeed') return succeeded;
    const { verdict, reason: message, class: errorClass = 'application' } = data;
    if (verdict === 'fail') return failedWith(UNCHANGED, { message, class: errorClass });
    return { ...UNCHANGED, state: 'pending', writes: WAITS_AGAIN };
  },
  TaskRestored: ({ to, was, error }) => restored(to, was, error),
  // Its row follows from the halves, with which it changes.
  TaskErased: () => UNCHANGED,
  TaskReservationAbandoned: () => UNCHANGED,
};

const waiting = (heldBy: HoldRef | undefined): 'pending' | 'held' => (heldBy ? 'held' : 'pending');

const created = (submission: Submission, state: TaskRowChange['state']): TaskRowChange => {
  const { payload, searchPaths } = submission;
  const begun = begunAs(submission, state);
  return searchPaths === undefined ? begun : searchedBy(begun, payloadTerms(payload, searchPaths));
};

const searchedBy = (change: TaskRowChange, terms: TaskRowChange['payloadTerms']): TaskRowChange => ({
  ...change,
  writes: change.writes | Writes.payloadTerms,
  payloadTerms: terms,
});

const begunAs = (submission: Submission, state: TaskRowChange['state']): TaskRowChange => ({
  ...UNCHANGED,
  created: submission,
  state,
  priority: submission.priority ?? 0,
  writes: Writes.dueAt | Writes.step | Writes.expiresAt | Writes.deadlineAt,
  step: submission.rerunOf?.step ?? submission.steps?.[0] ?? null,
  lastStep: submission.rerunOf?.lastStep ?? null,
  dueAt: submission.dueAt ?? null,
  expiresAt: submission.expiresAt ?? null,
  deadlineAt: submission.deadlineAt ?? null,
});

const withError = (change: TaskRowChange, error: TaskError): TaskRowChange => ({
  ...change,
  writes: change.writes | Writes.error,
  error: error.message,
  errorClass: error.class,
});

const failedWith = (change: TaskRowChange, error: TaskError): TaskRowChange => ({
  ...change,
  state: 'failed',
  writes: change.writes | Writes.error | Writes.failedAt | Writes.finishedAt,
  error: error.message,
  errorClass: error.class,
  failed: true,
  finished: true,
});

/** Nobody has missed a new deadline. */
const limitedAnew = (expiresAt: IsoTime | null, deadlineAt: IsoTime | null): TaskRowChange => ({
  ...UNCHANGED,
  writes: (expiresAt === null ? 0 : Writes.expiresAt) | (deadlineAt === null ? 0 : Writes.deadlineAt | Writes.missed),
  expiresAt,
  deadlineAt,
});

/** A success clears an error that was reported without ending the attempt. The history keeps it. */
const succeeded: TaskRowChange = {
  ...UNCHANGED,
  state: 'succeeded',
  writes: Writes.error | LEAVES_FAILURE,
  finished: true,
};

/** The times of a failure and of an end are those of the restore. Who ran the task last is not brought back. */
function restored(state: RestoredStatus, was: Restored, error?: TaskError): TaskRowChange {
  const writes = LEAVES_FAILURE | Writes.step | Writes.expiresAt | (WAITS.includes(state) ? WAITS_AGAIN : 0);
  const { step = null, expiresAt = null } = was;
  const change = { ...UNCHANGED, state, writes, step, expiresAt, finished: ENDED.includes(state) };
  if (error === undefined) return change;
  return { ...withError(change, error), failed: true };
}

const WAITS: readonly RestoredStatus[] = ['prepared', 'pending', 'held'];
const ENDED: readonly RestoredStatus[] = ['failed', 'succeeded', 'cancelled', 'aborted', 'superseded'];

/** Keeps the error, because it says why a superseded or cancelled task had stopped. */
const ended = (state: 'cancelled' | 'aborted' | 'superseded' | 'deleted'): TaskRowChange => ({
  ...UNCHANGED,
  state,
  writes: LEAVES_FAILURE,
  finished: true,
});
