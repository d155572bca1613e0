import { firstDataOf, NO_DATA } from '../kernel/changed-data.js';
import type { IsoTime, Json, JsonObject } from '../kernel/json.js';
import type { Waits } from './wait-state.js';
import type { CancelEnd, HoldRef, Prerequisite, Submission, TaskError } from './task.events.js';

/** What every existing task has, in any status. */
export interface TaskFacts {
  /** The task as submitted, to compare a repeated submission with. */
  readonly submission: Submission;
  /** The current payload, which differs from the submission's after an amendment. */
  readonly payload: Json;
  readonly priority: number;
  readonly dueAt: IsoTime | null;
  /** From when on no worker gets the task any more; null: it may wait for ever. */
  readonly expiresAt: IsoTime | null;
  readonly deadlineAt: IsoTime | null;
  /** Whether the task was not done at its deadline. */
  readonly deadlineMissed: boolean;
  /** The number of claims, not counting those that were returned. */
  readonly attempt: number;
  /** Failed attempts since the task was submitted or last retried by a person. */
  readonly failures: number;
  /** Attempts whose lease was lost, counted like `failures`. */
  readonly lost: number;
  /** The last workers that lost it, up to five. */
  readonly lostBy: readonly string[];
  /** The step to run next; null for a task without steps. */
  readonly nextStep: string | null;
  /** Whether the task has entered its first step: it has been claimed or released. */
  readonly entered: boolean;
  readonly lastSuccessfulStep: string | null;
  /** The part of `failures` and `lost` from before the current step; null if there is none. */
  readonly beforeStep: Tally | null;
  /** The last settlement by a worker, so that a repetition by the same worker is recognised. */
  readonly lastSettlement: Settlement | null;
  /** What must be done before the task may run, whether or not it is done by now. */
  readonly after: readonly Prerequisite[];
  /** The size of the errors and results that attempts reported without ending the task. */
  readonly reportedBytes: number;
  /** What workers and operators have recorded about the task for those who work on it next. */
  readonly data: JsonObject;
  /** How many submissions it has taken in after its first one. Absent: none. */
  readonly gathered?: number;
  /** Absent if it never waited, and nobody signalled it. */
  readonly waits?: Waits;
  /** Set if the private halves of its events are erased. */
  readonly erased?: true;
}

export interface Tally {
  readonly failures: number;
  readonly lost: number;
}

export interface Settlement {
  readonly token: string;
  /** Every value except `continued` ends the attempt. */
  readonly as: 'succeeded' | 'failed' | 'returned' | 'waited' | 'cancelConfirmed' | 'offered' | 'continued';
  /** The step that it completed. */
  readonly step?: string;
}

/** The claim of a running task. It exists only while the task runs. */
export interface Lease {
  readonly token: string;
  readonly claimId: string;
  readonly worker: string;
  readonly server: string;
  readonly claimedAt: IsoTime;
  /** When the attempt ends at the latest; absent: never. */
  readonly runUntil?: IsoTime;
  /** The task for which a trigger made the claim. */
  readonly job?: string;
}

export interface CancelRequest {
  readonly by: string;
  readonly reason: string | null;
  readonly then: CancelEnd;
  /** Whether the system, or the worker, shuts down. */
  readonly shutdown: boolean;
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
export interface CancelledTask {
  readonly status: 'cancelled';
  readonly task: TaskFacts;
  readonly byShutdown: boolean;
}
/** One member per status, so that a check of the status narrows the type. */
export type EndedTask = {
  readonly [S in EndedStatus]: { readonly status: S; readonly task: TaskFacts };
}[EndedStatus];

type EndedStatus = 'succeeded' | 'aborted' | 'superseded' | 'deleted';

export type TaskState =
  | UnknownTask
  | PreparedTask
  | PendingTask
  | HeldTask
  | RunningTask
  | UndecidedTask
  | FailedTask
  | CancelledTask
  | EndedTask;

/** A task that exists. */
export type KnownTask = Exclude<TaskState, UnknownTask>;

/** A task as it was before a command. */
export interface Before {
  readonly state: KnownTask;
  /** Whether it had been released or, with steps, claimed or retried at one. */
  readonly entered: boolean;
  /** The position of the event with which it took its place in line; null: it has its first one, or none. */
  readonly place: string | null;
}

const NO_WORKERS: readonly string[] = [];
const MOST_NAMES = 5;

/** The last names of those that lost a task, each once. */
export const loserNames = (before: readonly string[], worker: string): readonly string[] =>
  [...before.filter((name) => name !== worker), worker].slice(-MOST_NAMES);

/** The facts of a task as submitted. One that runs another again goes on where that one stopped, with its data. */
export const begun = (submission: Submission): TaskFacts => ({
  submission,
  payload: submission.payload ?? null,
  priority: submission.priority ?? 0,
  dueAt: submission.dueAt ?? null,
  expiresAt: submission.expiresAt ?? null,
  deadlineAt: submission.deadlineAt ?? null,
  deadlineMissed: false,
  attempt: 0,
  failures: 0,
  lost: 0,
  lostBy: NO_WORKERS,
  nextStep: firstStepOf(submission),
  entered: false,
  lastSuccessfulStep: submission.rerunOf?.lastStep ?? null,
  beforeStep: null,
  lastSettlement: null,
  after: submission.after ?? NOTHING,
  reportedBytes: 0,
  data: firstDataOf(submission),
});

/** The step at which a new task begins; null if it has none. */
export const firstStepOf = ({ steps, rerunOf }: Submission): string | null => rerunOf?.step ?? steps?.[0] ?? null;

export const stepsOf = ({ submission }: TaskFacts): readonly string[] => submission.steps ?? NO_STEPS;

/** The step that follows `step`; null after the last one. */
export function stepAfter(task: TaskFacts, step: string): string | null {
  const steps = stepsOf(task);
  return steps[steps.indexOf(step) + 1] ?? null;
}

const NO_STEPS: readonly string[] = [];

/**
 * A running task without its payloads, for a cache. Commands that settle an attempt decide on it as on the full state.
 * Null for any other task, and one with data, waits or the details of an error, whose next command reads the stream. Written field by
 * field: this runs for every claim, and an object with a property after a spread costs a microsecond.
 */
export function leanTask(state: TaskState): RunningTask | null {
  if (state.status !== 'running') return null;
  const { status, task, lease, reportedError, cancelRequest } = state;
  if (reportedError?.details !== undefined || task.data !== NO_DATA || task.waits !== undefined) return null;
  return { status, task: leanFacts(task), lease, reportedError, cancelRequest };
}

/** The task in its status, without its payloads and the details of its error. A lean state is one already. */
export function outlineOf(state: TaskState): TaskState {
  if (state.status === 'unknown' || !hasValues(state)) return state;
  const facts = leanFacts(state.task);
  const { reference } = state.task.submission;
  const named = reference === undefined ? facts : { ...facts, submission: { ...facts.submission, reference } };
  const { waits, erased } = state.task;
  const task: TaskFacts = { ...named, ...(waits && { waits }), ...(erased && { erased }) };
  if (state.status === 'running') return { ...state, task, reportedError: null };
  return 'error' in state ? { ...state, task, error: { ...state.error, details: undefined } } : { ...state, task };
}

const hasValues = (state: KnownTask): boolean =>
  state.task.payload !== null ||
  state.task.data !== NO_DATA ||
  state.task.submission.payload !== undefined ||
  ('error' in state && state.error.details !== undefined) ||
  (state.status === 'running' && state.reportedError !== null);

const leanFacts = (task: TaskFacts): TaskFacts => ({
  submission: leanSubmission(task.submission),
  payload: null,
  priority: task.priority,
  dueAt: task.dueAt,
  expiresAt: task.expiresAt,
  deadlineAt: task.deadlineAt,
  deadlineMissed: task.deadlineMissed,
  attempt: task.attempt,
  failures: task.failures,
  lost: task.lost,
  lostBy: task.lostBy,
  nextStep: task.nextStep,
  entered: task.entered,
  lastSuccessfulStep: task.lastSuccessfulStep,
  beforeStep: task.beforeStep,
  lastSettlement: task.lastSettlement,
  after: NOTHING,
  reportedBytes: task.reportedBytes,
  data: NO_DATA,
});

const NOTHING: readonly Prerequisite[] = [];

/** The parts of a submission that settling reads: the queue, kind and key of the task, its steps, and what it runs again. */
function leanSubmission({ queue, kind, key, steps, rerunOf }: Submission): Submission {
  const lean: { -readonly [Field in keyof Submission]: Submission[Field] } = { queue, kind };
  if (key !== undefined) lean.key = key;
  if (steps !== undefined) lean.steps = steps;
  if (rerunOf !== undefined) lean.rerunOf = { task: rerunOf.task };
  return lean;
}
