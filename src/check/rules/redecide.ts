import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import { backoffMs } from '../../domain/task/failure-policy.js';
import { failurePolicyFor } from '../../domain/task/step-policy.js';
import { runLimits } from '../../domain/task/run-limits.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import type { Submission, TaskEvent, TaskEventType, TaskFailed } from '../../domain/task/task.events.js';
import { evolveTask } from '../../domain/task/task.evolve.js';
import type { KnownTask, TaskState } from '../../domain/task/task.state.js';
import type { TaskRecord } from '../appends.js';
import { isTimedOut } from './attempts.js';

interface Place {
  readonly recorded: TaskRecord;
  /** The next event of its stream, which says what followed the end of an attempt. */
  readonly next: TaskEvent | undefined;
  /** Who gave the command behind that. */
  readonly nextBy: string | undefined;
  readonly state: TaskState;
  readonly policy: QueuePolicy;
  readonly isForeign: boolean;
}

type Of<T extends TaskEventType> = Extract<TaskEvent, { readonly type: T }>['data'];

/**
 * The command that must have led to the first of these events, according to the whole history. Decided again on
 * `state`, it gives that event and those recorded with it. `isForeign`: workers may have asked for delays, which
 * the log does not tell from those of the policy. Throws if nobody has said what leads to such an event.
 */
export function commandBehind(
  records: readonly TaskRecord[],
  state: TaskState,
  policy: QueuePolicy,
  isForeign: boolean,
): TaskCommand {
  const [recorded, next] = records;
  const { type, data } = recorded!.event;
  const rule = rules[type] as ((data: object, place: Place) => TaskCommand) | undefined;
  if (!rule) throw new Error(`Expected to know the command behind '${type}', but this checker does not: teach it`);
  return rule(data, {
    recorded: recorded!,
    next: next?.event,
    nextBy: next?.envelope.actor,
    state,
    policy,
    isForeign,
  });
}

const rules: { readonly [T in TaskEventType]?: (data: Of<T>, place: Place) => TaskCommand } = {
  TaskEnqueued: ({ heldBy = null, ...submission }, { recorded }) => ({
    type: 'EnqueueTask',
    ...given(recorded),
    submission,
    heldBy,
  }),
  TaskEnqueueRejected: ({ error, ...submission }, { recorded }) => ({
    type: 'RejectEnqueue',
    ...given(recorded),
    submission,
    error,
  }),
  TaskPrepared: (submission, { recorded }) => ({ type: 'PrepareTask', ...given(recorded), submission }),
  TaskSubmitted: ({ heldBy = null }, { recorded }) => ({ type: 'SubmitTask', ...given(recorded), heldBy }),
  TaskClaimed: ({ token, claimId, worker, server, build, leaseMs, waitedMs, claimedAt, offers, job }, { policy }) => ({
    type: 'ClaimTask',
    now: claimedAt,
    by: worker,
    token,
    claimId,
    worker,
    server,
    leaseMs,
    waitedMs,
    ...(build !== undefined && { build }),
    ...(offers && { offers }),
    ...(policy.needs && { needs: policy.needs }),
    ...runLimits(policy),
    ...(job !== undefined && { job }),
  }),
  TaskSucceeded: (data, place) => ({
    type: 'SucceedTask',
    ...underClaim(data, place),
    result: data.result ?? null,
    noChange: data.noChange ?? false,
  }),
  TaskStepCompleted: (data, place) => ({
    type: 'CompleteStep',
    ...underClaim(data, place),
    step: data.step,
    then: data.then === 'continue' ? 'continue' : 'offer',
    result: (place.next?.type === 'TaskSucceeded' ? place.next.data.result : data.result) ?? null,
    data: data.data,
    priority: data.priority,
    takesPriority: true,
    unmarked: data.unmarked,
    ...runLimits(place.policy),
    conflictingTaskId: conflictIn(place),
  }),
  TaskDataRecorded: ({ patch, token }, { recorded }) =>
    token === undefined
      ? { type: 'AmendData', ...given(recorded), patch }
      : { type: 'RecordData', ...given(recorded), token, patch },
  TaskErrorReported: ({ error, token }, { recorded }) => ({ type: 'ReportError', ...given(recorded), token, error }),
  TaskOverruled: (data, place) => ({
    type: 'OverruleTask',
    ...underClaim(data, place),
    by: data.by,
    verdict: data.verdict,
    reason: data.reason,
    result: data.result,
    policy: place.policy,
    conflictingTaskId: conflictIn(place),
  }),
  TaskAttemptFailed: (data, place) => {
    const conflictingTaskId = conflictIn(place);
    const { random, retryAfterMs } = delayBehind(data, place);
    const given = { ...underClaim(data, place), policy: place.policy, random, conflictingTaskId };
    if (isTimedOut(place.recorded.event)) return { type: 'TimeOutRun', ...given };
    const { final = false } = failureIn(place.next) ?? {};
    return { type: 'FailTask', ...given, error: data.error, final, retryAfterMs };
  },
  // A failure that does not end an attempt.
  TaskFailed: ({ from }, { recorded }) => ({
    type: from === 'undecided' ? 'DecideFail' : 'ExpireTask',
    ...given(recorded),
  }),
  TaskDeadlineMissed: (_, { recorded }) => ({ type: 'MissDeadline', ...given(recorded) }),
  TaskLeaseExpired: (data, place) => ({
    type: 'ExpireLease',
    ...underClaim(data, place),
    unheard: data.unheard,
    policy: place.policy,
    conflictingTaskId: conflictIn(place),
  }),
  TaskReturned: (data, place) => ({
    type: 'ReturnTask',
    ...underClaim(data, place),
    ...postponedBy(data, place),
    unstarted: data.unstarted,
    conflictingTaskId: conflictIn(place),
  }),
  TaskWaited: (data, place) => {
    const given = underClaim(data, place);
    const timeoutMs = Math.max(0, Date.parse(data.dueAt) - Date.parse(given.now));
    return { type: 'WaitTask', ...given, ...waitIn(data), timeoutMs, conflictingTaskId: conflictIn(place) };
  },
  TaskWaitEnded: (data, { recorded }) => ({
    type: 'WaitTask',
    ...given(recorded),
    token: data.token,
    ...waitIn(data),
    timeoutMs: 0,
    conflictingTaskId: null,
  }),
  TaskSignalled: ({ signal, data }, { recorded }) => ({ type: 'SignalTask', ...given(recorded), signal, data }),
  TaskRetried: ({ from, step = null, override = false, heldBy = null }, { recorded, policy }) =>
    from === 'undecided'
      ? { type: 'DecideRetry', ...given(recorded), heldBy }
      : {
          type: 'RetryTask',
          ...given(recorded),
          step,
          override,
          heldBy,
          policy,
        },
  TaskReprioritised: ({ priority }, { recorded }) => ({ type: 'ReprioritiseTask', ...given(recorded), priority }),
  TaskRescheduled: ({ dueAt }, { recorded }) => ({ type: 'RescheduleTask', ...given(recorded), dueAt }),
  TaskHeld: ({ heldBy }, { recorded }) =>
    heldBy.hold === undefined
      ? { type: 'HoldTask', ...given(recorded), reason: heldBy.reason ?? null }
      : { type: 'CatchTask', ...given(recorded), heldBy },
  TaskReleased: ({ by }, { recorded }) => ({ type: 'ReleaseTask', ...given(recorded), approver: by }),
  TaskPayloadAmended: ({ payload, expiresAt, deadlineAt }, { recorded }) => ({
    type: 'AmendPayload',
    ...given(recorded),
    payload,
    limits: limitsIn({ expiresAt, deadlineAt }),
  }),
  TaskSubmissionGathered: (data, { recorded, state, policy }) => ({
    type: 'GatherSubmission',
    ...given(recorded),
    submission: gatheredIn(data, state),
    limits: limitsIn(data),
    mostBytes: policy.limits.payloadBytes,
  }),
  TaskSuperseded: ({ bySuccessOf }, { recorded }) => ({ type: 'SupersedeTask', ...given(recorded), bySuccessOf }),
  TaskCancelled: ({ reason = null }, { recorded }) => ({
    type: 'CancelTask',
    ...given(recorded),
    reason,
    onRunning: 'cancel',
  }),
  TaskCancelRequested: ({ reason = null, then, shutdown }, { recorded }) =>
    shutdown
      ? { type: 'StopRun', ...given(recorded), reason }
      : then === 'held'
        ? { type: 'HoldTask', ...given(recorded), reason }
        : { type: 'CancelTask', ...given(recorded), reason, onRunning: then === 'failed' ? 'fail' : 'cancel' },
  TaskCancelConfirmed: (data, place) => ({
    type: 'ConfirmCancel',
    ...underClaim(data, place),
    conflictingTaskId: conflictIn(place),
  }),
  TaskPrerequisitesChanged: ({ added: add, waived: waive }, { recorded }) => ({
    type: 'ChangePrerequisites',
    ...given(recorded),
    add,
    waive,
  }),
  TaskAborted: ({ reason = null, prerequisite }, { recorded }) => ({
    type: 'AbortTask',
    ...given(recorded),
    reason,
    prerequisite,
  }),
  TaskRestored: ({ undoes, was: { entered = false, place = null } }, { recorded, state }) => ({
    type: 'RestoreTask',
    ...given(recorded),
    undoes,
    before: { state: evolveTask(state, recorded.event) as KnownTask, entered, place },
  }),
  TaskErased: ({ erasure }, { recorded }) => ({ type: 'EraseTask', ...given(recorded), erasure }),
  TaskDeleted: ({ forced = false }, { recorded }) => ({ type: 'DeleteTask', ...given(recorded), force: forced }),
};

const given = ({ recordedAt, envelope }: TaskRecord) => ({ now: recordedAt, by: envelope.actor });

/** The decision was made at the time of the claim plus the time that the attempt ran. */
function underClaim({ token, ranMs }: { token: string; ranMs: number }, place: Place) {
  const { recorded, state } = place;
  const since = Date.parse(state.status === 'running' ? state.lease.claimedAt : recorded.recordedAt);
  const now = ranMs > 0 ? since + ranMs : Math.min(since, retryDecidedAt(place));
  return { token, by: recorded.envelope.actor, now: new Date(now).toISOString() };
}

/** Where a backoff has jitter, the chance that led to the delay. Another delay is one that the worker asked for. */
function delayBehind(data: Of<'TaskAttemptFailed'>, place: Place) {
  const { next, state, policy, isForeign } = place;
  if (next?.type !== 'TaskRetryScheduled' || state.status === 'unknown') return AS_ALWAYS;
  const { retry, uncounted } = failurePolicyFor(policy, state.task);
  const longest = backoffMs({ ...retry.backoff, jitter: 'none' }, next.data.failures - (uncounted?.failures ?? 0), 0);
  const delay = Date.parse(next.data.dueAt) - Date.parse(underClaim(data, place).now);
  if (retry.backoff.jitter === 'full' && delay >= 0 && delay < longest)
    return { random: (delay + 0.5) / longest, retryAfterMs: null };
  return isForeign && delay !== longest ? { random: 0, retryAfterMs: Math.max(0, delay) } : AS_ALWAYS;
}

const AS_ALWAYS = { random: 0, retryAfterMs: null };

/** How long its worker postponed the task, as whose change of the due time that is recorded. */
function postponedBy(data: Of<'TaskReturned'>, place: Place): { readonly afterMs?: number } {
  const { next, nextBy, recorded } = place;
  const isOwn = next?.type === 'TaskRescheduled' && nextBy === recorded.envelope.actor;
  if (!isOwn || next.data.dueAt === null) return {};
  const afterMs = Date.parse(next.data.dueAt) - Date.parse(underClaim(data, place).now);
  return afterMs > 0 ? { afterMs } : {};
}

/**
 * A clock that was set back is recorded as a duration of zero. Only the retry's time then shows when it was decided.
 */
function retryDecidedAt({ next, policy }: Place): number {
  if (next?.type !== 'TaskRetryScheduled') return Infinity;
  return Date.parse(next.data.dueAt) - backoffMs(policy.retry.backoff, next.data.failures, 0);
}

const waitIn = ({ signal, number }: Of<'TaskWaitEnded'> | Of<'TaskWaited'>) => ({
  ...(signal !== undefined && { signal }),
  number,
});

/** Those that the submission behind the event brought. */
const limitsIn = ({ expiresAt, deadlineAt }: Pick<Of<'TaskPayloadAmended'>, 'expiresAt' | 'deadlineAt'>) => ({
  ...(expiresAt !== undefined && { expiresAt }),
  ...(deadlineAt !== undefined && { deadlineAt }),
});

/** It was as that of the task which took it in, but for its payload and times. */
function gatheredIn({ dueAt, payload, auditContext }: Of<'TaskSubmissionGathered'>, state: TaskState): Submission {
  if (state.status === 'unknown') throw new Error("Expected a task before 'TaskSubmissionGathered', but there is none");
  const { dueAt: _due, auditContext: _audit, ...submission } = state.task.submission;
  return {
    ...submission,
    payload: submission.gathers?.all ? [payload] : payload,
    ...(dueAt !== null && { dueAt }),
    ...(auditContext !== undefined && { auditContext }),
  };
}

/** The task that waited for the key when this one would have waited again. */
const conflictIn = ({ next }: Place): string | null => failureIn(next)?.conflictingTaskId ?? null;

const failureIn = (next: TaskEvent | undefined): TaskFailed['data'] | null =>
  next?.type === 'TaskFailed' ? next.data : null;
