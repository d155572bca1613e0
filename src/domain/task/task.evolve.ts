import { changedData } from '../kernel/changed-data.js';
import type { JsonObject } from '../kernel/json.js';
import { reportedSize } from './bounds.js';
import { withoutContents } from './erased-half.js';
import { gathered } from './gathering.js';
import { changedPrerequisites } from './prerequisites.js';
import type { HoldRef, Submission, TaskError, TaskEvent, TaskEventOf, TaskEventType } from './task.events.js';
import {
  begun,
  type KnownTask,
  type Lease,
  loserNames,
  type RunningTask,
  type Settlement,
  stepAfter,
  type Tally,
  type TaskFacts,
  type TaskState,
} from './task.state.js';

import { inNextStep, retriedAt, signalled, waited, waitEnded } from './wait-state.js';

/**
 * The state after `event`. Facts that it does not touch are shared, not copied. An attempt's end puts the task back to
 * pending; the next event of the same append says what else follows.
 */
export function evolveTask(state: TaskState, event: TaskEvent): TaskState {
  switch (event.type) {
    case 'TaskPrepared':
      return { status: 'prepared', task: begun(event.data) };
    case 'TaskEnqueued':
      return enqueued(event.data);
    case 'TaskEnqueueRejected': {
      const { error, ...submission } = event.data;
      return { status: 'failed', task: begun(submission), error, final: true };
    }
    case 'TaskReservationAbandoned':
      return state;
    default:
      return next(state, event);
  }
}

/** Without a hold, the event's data is the submission itself, not a copy, because this runs for every task. */
function enqueued(data: Submission & { readonly heldBy?: HoldRef }): TaskState {
  if (data.heldBy === undefined) return { status: 'pending', task: begun(data) };
  const { heldBy, ...submission } = data;
  return { status: 'held', task: begun(submission), heldBy };
}

type FirstEventType = 'TaskPrepared' | 'TaskEnqueued' | 'TaskEnqueueRejected' | 'TaskReservationAbandoned';
type LaterEventType = Exclude<TaskEventType, FirstEventType>;
type DataOf<T extends TaskEventType> = TaskEventOf<T>['data'];

/** Throws if the stream is broken: its first event is missing, or has a type without a rule. */
function next(state: TaskState, { type, data }: TaskEvent): TaskState {
  if (state.status === 'unknown')
    throw new Error(`Expected a task to begin with its submission, but it begins with '${type}'`);
  const rule = rules[type as LaterEventType] as ((state: KnownTask, data: TaskEvent['data']) => TaskState) | undefined;
  if (rule === undefined) throw new Error(`Expected to know how '${type}' changes a task, but it has no rule`);
  return rule(state, data);
}

const rules: { readonly [T in LaterEventType]: (state: KnownTask, data: DataOf<T>) => TaskState } = {
  TaskSubmitted: ({ task }, { heldBy }) => waiting(task, heldBy),
  TaskHeld: ({ task }, { heldBy }) => waiting(task, heldBy),
  TaskReleased: ({ task }) => waiting(inStep(task)),
  TaskClaimed: ({ task }, data) => running(task, data),
  TaskStepCompleted: stepCompleted,
  TaskDataRecorded: (state, { patch }) => ({ ...state, task: withData(reported(state.task, patch), patch) }),
  TaskErrorReported: (state, { error }) =>
    whileRunning(state, { reportedError: error, task: reported(state.task, error) }),
  TaskAttemptFailed: ({ task }, { token, error }) =>
    waiting({ ...task, failures: task.failures + 1, ...settledBy(error, { token, as: 'failed' }) }),
  TaskRetryScheduled: ({ task }, { dueAt }) => waiting({ ...task, dueAt }),
  TaskDecisionRequested: ({ task }, { error }) => ({ status: 'undecided', task, error }),
  TaskFailed: ({ task }, { error, final }) => ({ status: 'failed', task, error, final }),
  TaskRetried: ({ task }, { step, heldBy }) =>
    waiting({ ...atStep(task, step), failures: 0, lost: 0, lostBy: [], beforeStep: null, expiresAt: null }, heldBy),
  TaskSucceeded: ({ task }, { token }) => {
    const step = task.lastSettlement?.step;
    const lastSettlement: Settlement =
      step === undefined ? { token, as: 'succeeded' } : { token, as: 'succeeded', step };
    return { status: 'succeeded', task: settled(task, lastSettlement) };
  },
  TaskLeaseExpired: ({ task }, { worker }) =>
    waiting({ ...task, lost: task.lost + 1, lostBy: loserNames(task.lostBy, worker) }),
  TaskLateReportRefused: (state) => state,
  TaskReturned: ({ task }, { token }) =>
    waiting({ ...task, attempt: task.attempt - 1, lastSettlement: { token, as: 'returned' } }),
  TaskWaited: ({ task }, data) => {
    const { token, dueAt } = data;
    const waits = waited(data, task.waits);
    return waiting({ ...task, attempt: task.attempt - 1, dueAt, waits, lastSettlement: { token, as: 'waited' } });
  },
  TaskSignalled: (state, data) => ({
    ...state,
    task: { ...reported(state.task, data.data), waits: signalled(data, state.task.waits) },
  }),
  TaskWaitEnded: (state, data) => ({ ...state, task: { ...state.task, waits: waitEnded(data, state.task.waits) } }),
  TaskCancelRequested: (state, { by, reason = null, then, shutdown = false }) =>
    whileRunning(state, { cancelRequest: { by, reason, then, shutdown } }),
  TaskCancelConfirmed: ({ task }, { token }) => waiting(settled(task, { token, as: 'cancelConfirmed' })),
  TaskCancelled: ({ task }, { shutdown = false }) => ({ status: 'cancelled', task, byShutdown: shutdown }),
  TaskAborted: ({ task }) => ({ status: 'aborted', task }),
  TaskSuperseded: ({ task }) => ({ status: 'superseded', task }),
  TaskReprioritised: (state, { priority }) => ({ ...state, task: { ...state.task, priority } }),
  TaskRescheduled: (state, { dueAt }) => ({ ...state, task: { ...state.task, dueAt } }),
  TaskDeadlineMissed: (state) => ({ ...state, task: { ...state.task, deadlineMissed: true } }),
  TaskPayloadAmended: (state, data) => ({ ...state, task: amended(state.task, data) }),
  TaskSubmissionGathered: (state, data) => ({ ...state, task: gathered(state.task, data) }),
  TaskPrerequisitesChanged: (state, { added, waived }) => ({
    ...state,
    task: { ...state.task, after: changedPrerequisites(state.task.after, added, waived) },
  }),
  TaskDeleted: ({ task }) => ({ status: 'deleted', task }),
  TaskOverruled: ({ task }, data) => overruled(task, data),
  TaskRestored: ({ task }, data) => restored(task, data),
  TaskErased: withoutContents,
};

const waiting = (task: TaskFacts, heldBy?: HoldRef): KnownTask =>
  heldBy === undefined ? { status: 'pending', task } : { status: 'held', task, heldBy };

/** A task with steps enters its first step when it is first claimed or released. */
const inStep = (task: TaskFacts): TaskFacts =>
  task.nextStep === null || task.entered ? task : { ...task, entered: true };

const atStep = (task: TaskFacts, step?: string): TaskFacts => ({
  ...task,
  ...(step !== undefined && { nextStep: step, entered: true }),
  ...(task.waits && { waits: retriedAt(task.waits, step === undefined || step === task.nextStep) }),
});

const settled = (task: TaskFacts, lastSettlement: Settlement): TaskFacts => ({ ...task, lastSettlement });

/** Nobody settled an attempt that took too long, so its worker's later reports are refused. */
const settledBy = (error: TaskError, lastSettlement: Settlement): Partial<TaskFacts> =>
  error.class === 'timeout' ? {} : { lastSettlement };

function running(task: TaskFacts, data: DataOf<'TaskClaimed'>): RunningTask {
  const { attempt, token, claimId, worker, server, claimedAt, runUntil, job } = data;
  const plain = { token, claimId, worker, server, claimedAt };
  const lease = runUntil === undefined ? plain : { ...plain, runUntil };
  return {
    status: 'running',
    task: task.nextStep === null ? { ...task, attempt } : { ...inStep(task), attempt },
    lease: job === undefined ? lease : { ...lease, job },
    reportedError: null,
    cancelRequest: null,
  };
}

const whileRunning = (state: KnownTask, change: Partial<RunningTask>): KnownTask =>
  state.status === 'running' ? { ...state, ...change } : state;

function stepCompleted(state: KnownTask, completed: DataOf<'TaskStepCompleted'>): TaskState {
  const { step, then, token, result, data, unmarked, priority = state.task.priority } = completed;
  const lastSettlement: Settlement = { token, as: then === 'offer' ? 'offered' : 'continued', step };
  const task = {
    ...withData(reported(reported(state.task, result), data), data),
    nextStep: stepAfter(state.task, step),
    lastSuccessfulStep: unmarked ? state.task.lastSuccessfulStep : step,
    beforeStep: tallyOf(state.task),
    lastSettlement,
    priority,
    ...(state.task.waits && { waits: inNextStep(state.task.waits) }),
  };
  if (then === 'offer') return waiting(task);
  if (state.status !== 'running') return { ...state, task };
  return { ...state, task, lease: leaseUntil(state.lease, completed.runUntil) };
}

/** Each step of an attempt may have an end of its own. */
function leaseUntil(lease: Lease, runUntil: string | undefined): Lease {
  if (lease.runUntil === runUntil) return lease;
  const { runUntil: _before, ...plain } = lease;
  return runUntil === undefined ? plain : { ...plain, runUntil };
}

const reported = (task: TaskFacts, value: unknown): TaskFacts =>
  value === undefined ? task : { ...task, reportedBytes: task.reportedBytes + reportedSize(value) };

const withData = (task: TaskFacts, patch: JsonObject | undefined): TaskFacts =>
  patch === undefined ? task : { ...task, data: changedData(task.data, patch) };

const amended = (task: TaskFacts, { payload, expiresAt, deadlineAt }: DataOf<'TaskPayloadAmended'>): TaskFacts => ({
  ...task,
  payload,
  expiresAt: expiresAt ?? task.expiresAt,
  ...(deadlineAt !== undefined && { deadlineAt, deadlineMissed: false }),
});

/** As before the command that is undone. What this takes from the event is all that such commands change. */
function restored(before: TaskFacts, { to, was, heldBy, error, final, shutdown }: DataOf<'TaskRestored'>): TaskState {
  const { failures, lost, lostBy = [], step = null, entered = false, beforeStep = null, expiresAt = null } = was;
  const isInStep = entered && before.submission.steps !== undefined;
  const task = { ...before, failures, lost, lostBy, nextStep: step, entered: isInStep, beforeStep, expiresAt };
  switch (to) {
    case 'held':
      return { status: to, task, heldBy: heldBy! };
    case 'undecided':
      return { status: to, task, error: error! };
    case 'failed':
      return { status: to, task, error: error!, final: final === true };
    case 'cancelled':
      return { status: to, task, byShutdown: shutdown === true };
    default:
      return { status: to, task };
  }
}

const tallyOf = ({ failures, lost }: TaskFacts): Tally | null => (failures + lost > 0 ? { failures, lost } : null);

/** The worker of the attempt settled nothing, so its later reports are refused. */
function overruled(task: TaskFacts, data: DataOf<'TaskOverruled'>): TaskState {
  const { verdict, reason: message, class: errorClass = 'application' } = data;
  if (verdict === 'succeed') return { status: 'succeeded', task };
  if (verdict === 'requeue') return waiting(task);
  return { status: 'failed', task, error: { message, class: errorClass }, final: false };
}
