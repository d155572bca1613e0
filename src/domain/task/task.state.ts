import type { IsoTime, Json } from '../kernel/json.js';
import type { CancelEnd, HoldRef, Submission, TaskError } from './task.events.js';

/** What every existing task has, in any status. */
export interface TaskFacts {
  /** As submitted, to compare a repeated submission with. */
  readonly submission: Submission;
  /** The current payload; differs from the submission's after an amendment. */
  readonly payload: Json;
  readonly priority: number;
  readonly dueAt: IsoTime | null;
  /** Claims so far, less those returned unstarted. */
  readonly attempt: number;
  /** Failed attempts since the task was submitted or last retried by a person. */
  readonly failures: number;
  /** Attempts whose lease was lost, counted like `failures`. */
  readonly lost: number;
  /** The step to run next; null for a task without steps. */
  readonly nextStep: string | null;
  readonly lastSuccessfulStep: string | null;
  /** What of `failures` and `lost` was before the step to run next; null: nothing. */
  readonly beforeStep: Tally | null;
  /** What a worker settled last, so that the same worker's repeat is recognised. */
  readonly lastSettlement: Settlement | null;
}

export interface Tally {
  readonly failures: number;
  readonly lost: number;
}

export interface Settlement {
  readonly token: string;
  /** All but `continued` end the attempt. */
  readonly as: 'succeeded' | 'failed' | 'returned' | 'cancelConfirmed' | 'offered' | 'continued';
}

/** The claim under which a task runs: exists only while it runs. */
export interface Lease {
  readonly token: string;
  readonly claimId: string;
  readonly worker: string;
  readonly server: string;
  readonly claimedAt: IsoTime;
}

export interface CancelRequest {
  readonly by: string;
  readonly reason: string | null;
  readonly then: CancelEnd;
}

export interface UnknownTask {
  readonly status: 'unknown';
}
export interface PreparedTask {
  readonly status: 'prepared';
  readonly task: TaskFacts;
}
export interface PendingTask {
  readonly status: 'pending';
  readonly task: TaskFacts;
}
export interface HeldTask {
  readonly status: 'held';
  readonly task: TaskFacts;
  readonly heldBy: HoldRef;
}
export interface RunningTask {
  readonly status: 'running';
  readonly task: TaskFacts;
  readonly lease: Lease;
  readonly reportedError: TaskError | null;
  readonly cancelRequest: CancelRequest | null;
}
export interface UndecidedTask {
  readonly status: 'undecided';
  readonly task: TaskFacts;
  readonly error: TaskError;
}
export interface FailedTask {
  readonly status: 'failed';
  readonly task: TaskFacts;
  readonly error: TaskError;
  readonly final: boolean;
}
/** One member per status, so that a check of the status narrows the type. */
export type EndedTask = {
  readonly [S in EndedStatus]: { readonly status: S; readonly task: TaskFacts };
}[EndedStatus];

type EndedStatus = 'succeeded' | 'cancelled' | 'aborted' | 'superseded' | 'deleted';

export type TaskState =
  UnknownTask | PreparedTask | PendingTask | HeldTask | RunningTask | UndecidedTask | FailedTask | EndedTask;

/** A task that exists. */
export type KnownTask = Exclude<TaskState, UnknownTask>;

export const stepsOf = ({ submission }: TaskFacts): readonly string[] => submission.steps ?? NO_STEPS;

/** The step that follows `step`; null after the last one. */
export function stepAfter(task: TaskFacts, step: string): string | null {
  const steps = stepsOf(task);
  return steps[steps.indexOf(step) + 1] ?? null;
}

const NO_STEPS: readonly string[] = [];

/**
 * A running task without its payloads, for a cache: commands that settle an attempt decide on it as on the whole. Null for any
 * other task: its next command reads it anew. Written out field by field, because it is made for every claim, and an object
 * spread with a property after it costs a microsecond.
 */
export function leanTask(state: TaskState): RunningTask | null {
  if (state.status !== 'running') return null;
  const { status, task, lease, reportedError, cancelRequest } = state;
  return { status, task: leanFacts(task), lease, reportedError, cancelRequest };
}

const leanFacts = (task: TaskFacts): TaskFacts => ({
  submission: leanSubmission(task.submission),
  payload: null,
  priority: task.priority,
  dueAt: task.dueAt,
  attempt: task.attempt,
  failures: task.failures,
  lost: task.lost,
  nextStep: task.nextStep,
  lastSuccessfulStep: task.lastSuccessfulStep,
  beforeStep: task.beforeStep,
  lastSettlement: task.lastSettlement,
});

/** What settling reads of a submission: where the task belongs, and its steps. */
function leanSubmission({ queue, kind, key, steps }: Submission): Submission {
  const lean: { -readonly [Field in keyof Submission]: Submission[Field] } = { queue, kind };
  if (key !== undefined) lean.key = key;
  if (steps !== undefined) lean.steps = steps;
  return lean;
}
