import { DEFAULT_POLICY } from '../../../src/domain/queue/queue.policy.js';
import type { FailurePolicy } from '../../../src/domain/task/failure-policy.js';
import type { TaskCommandOf, TaskCommandType } from '../../../src/domain/task/task.commands.js';
import type {
  Submission,
  TaskError,
  TaskEvent,
  TaskEventType,
  TaskStatus,
} from '../../../src/domain/task/task.events.js';

import { type Before, begun } from '../../../src/domain/task/task.state.js';

type DataOf<T extends TaskEventType> = Extract<TaskEvent, { readonly type: T }>['data'];

export const event = <T extends TaskEventType>(type: T, data: DataOf<T>) =>
  ({ type, version: 1, data }) as unknown as Extract<TaskEvent, { readonly type: T }>;

export const CLAIMED_AT = '2026-03-01T10:00:00.000Z';
export const NOW = '2026-03-01T10:00:02.500Z';
export const TOKEN = '7';
/** The token of a claim that never existed, so nothing can have been settled under it. */
export const FOREIGN_TOKEN = '6';
export const OTHER_TASK = '0198c0de-0000-7000-8000-000000000002';

export const SUBMISSION: Submission = { queue: 'ingest', kind: 'import', key: 'a.txt', payload: { file: 'a.txt' } };
export const STEPS = ['fetch', 'check', 'store'] as const;
export const HOLD = { by: 'olga', reason: 'disk full' };
export const ERROR: TaskError = { message: 'no route to host', class: 'transient' };

export const ATTEMPT = { queue: 'ingest', attempt: 1, token: TOKEN, worker: 'w1' };
export const END = { ...ATTEMPT, ranMs: 2_500 };

export const enqueued = event('TaskEnqueued', SUBMISSION);
export const withSteps = event('TaskEnqueued', { ...SUBMISSION, steps: STEPS });
/** It was submitted at `CLAIMED_AT`. */
export const GATHERED: Submission = {
  ...SUBMISSION,
  dueAt: '2026-03-01T10:00:05.000Z',
  gathers: { until: '2026-03-01T10:00:06.000Z' },
};
export const gathers = event('TaskEnqueued', GATHERED);
export const prepared = event('TaskPrepared', SUBMISSION);
export const held = event('TaskEnqueued', { ...SUBMISSION, heldBy: HOLD });
export const claimed = event('TaskClaimed', {
  ...ATTEMPT,
  server: 's1',
  claimId: 'claim-1',
  leaseMs: 30_000,
  claimedAt: CLAIMED_AT,
  waitedMs: 40,
});
export const claimedStep = event('TaskClaimed', { ...claimed.data, step: 'fetch' });
export const requested = (then: 'cancelled' | 'held') =>
  event('TaskCancelRequested', { ...ATTEMPT, by: 'olga', reason: 'deploy', then });
export const attemptFailed = event('TaskAttemptFailed', { ...END, error: ERROR });
export const leaseExpired = event('TaskLeaseExpired', END);
export const returned = event('TaskReturned', END);
/** It waits from `NOW` on. */
export const waited = event('TaskWaited', {
  ...END,
  signal: 'approved',
  number: 1,
  dueAt: '2026-03-01T10:01:02.500Z',
});
export const signalled = event('TaskSignalled', { queue: 'ingest', signal: 'approved', data: { limit: 500 } });
export const succeeded = event('TaskSucceeded', { ...END, key: 'a.txt' });
export const undecided = event('TaskDecisionRequested', { queue: 'ingest', key: 'a.txt', error: ERROR });
export const failed = (changes: Partial<DataOf<'TaskFailed'>> = {}) =>
  event('TaskFailed', {
    queue: 'ingest',
    from: 'running',
    key: 'a.txt',
    error: ERROR,
    final: false,
    decidedBy: 'policy',
    ranMs: END.ranMs,
    ...changes,
  });
export const retryScheduled = event('TaskRetryScheduled', {
  queue: 'ingest',
  dueAt: '2026-03-01T10:00:03.000Z',
  failures: 1,
  decidedBy: 'policy',
});
export const cancelled = (from: 'pending' | 'running' = 'pending') =>
  event('TaskCancelled', { queue: 'ingest', from, by: 'olga', reason: 'deploy' });
const requestedByShutdown = event('TaskCancelRequested', { ...requested('cancelled').data, shutdown: true });
const stopped = event('TaskCancelled', { ...cancelled('running').data, shutdown: true });
export const cancelConfirmed = event('TaskCancelConfirmed', END);
export const heldWhile = (from: 'pending' | 'running') => event('TaskHeld', { queue: 'ingest', from, heldBy: HOLD });
const aborted = event('TaskAborted', { queue: 'ingest', from: 'pending', by: 'olga' });
const superseded = event('TaskSuperseded', { queue: 'ingest', from: 'failed', bySuccessOf: OTHER_TASK });
const deleted = event('TaskDeleted', { queue: 'ingest', from: 'pending', by: 'olga' });

export type History = readonly TaskEvent[];

/** For every status, the relevant ways that lead there: never claimed, and claimed before. */
export const HISTORIES: Readonly<Record<'unknown' | TaskStatus, readonly History[]>> = {
  unknown: [[]],
  prepared: [[prepared]],
  pending: [[enqueued], [enqueued, claimed, leaseExpired], [enqueued, claimed, returned], [enqueued, claimed, waited]],
  held: [[held], [enqueued, claimed, leaseExpired, heldWhile('pending')]],
  running: [[enqueued, claimed]],
  undecided: [[enqueued, claimed, attemptFailed, undecided]],
  failed: [
    [enqueued, claimed, attemptFailed, failed()],
    [enqueued, claimed, attemptFailed, failed({ final: true })],
    [event('TaskEnqueueRejected', { ...SUBMISSION, error: ERROR })],
  ],
  succeeded: [[enqueued, claimed, succeeded]],
  cancelled: [
    [enqueued, cancelled()],
    [enqueued, claimed, requested('cancelled'), cancelConfirmed, cancelled('running')],
    [enqueued, claimed, requestedByShutdown, cancelConfirmed, stopped],
  ],
  aborted: [
    [enqueued, aborted],
    [enqueued, claimed, event('TaskAborted', { ...aborted.data, from: 'running', worker: 'w1' })],
  ],
  superseded: [[enqueued, claimed, attemptFailed, failed(), superseded]],
  deleted: [
    [enqueued, deleted],
    [enqueued, claimed, event('TaskDeleted', { ...deleted.data, from: 'running', forced: true, worker: 'w1' })],
  ],
};

const TIMED: Submission = {
  ...SUBMISSION,
  expiresAt: '2026-03-01T10:00:01.000Z',
  deadlineAt: '2026-03-01T10:00:02.000Z',
};
const timed = event('TaskEnqueued', TIMED);
const timedClaim = event('TaskClaimed', { ...claimed.data, runUntil: '2026-03-01T10:00:02.000Z' });

/** Tasks with times that have passed. */
export const LIMITED = {
  prepared: [event('TaskPrepared', TIMED)],
  pending: [timed],
  held: [event('TaskEnqueued', { ...TIMED, heldBy: HOLD })],
  running: [timed, timedClaim],
  undecided: [timed, timedClaim, attemptFailed, undecided],
} satisfies Partial<Record<TaskStatus, History>>;

/** Running tasks in every situation that changes the effect of a command. */
export const RUNNING = {
  plain: [enqueued, claimed],
  reported: [enqueued, claimed, event('TaskErrorReported', { ...ATTEMPT, error: ERROR })],
  toBeCancelled: [enqueued, claimed, requested('cancelled')],
  toBeHeld: [enqueued, claimed, requested('held')],
  firstStep: [withSteps, claimedStep],
  stepToBeCancelled: [withSteps, claimedStep, requested('cancelled')],
  stepToBeHeld: [withSteps, claimedStep, requested('held')],
  lastStep: [
    withSteps,
    claimedStep,
    event('TaskStepCompleted', { ...END, step: 'fetch', next: 'check', then: 'continue' }),
    event('TaskStepCompleted', { ...END, step: 'check', next: 'store', then: 'continue' }),
  ],
} satisfies Record<string, History>;

export const POLICY: Readonly<Record<FailurePolicy['onFailure'], FailurePolicy>> = {
  fail: { ...DEFAULT_POLICY, onFailure: 'fail' },
  retry: { ...DEFAULT_POLICY, onFailure: 'retry' },
  decide: { ...DEFAULT_POLICY, onFailure: 'decide' },
};

/** A task that waited for the first time. */
export const BEFORE: Before = { state: { status: 'pending', task: begun(SUBMISSION) }, entered: false, place: null };
export const OPERATION = '0198c0de-0000-7000-8000-000000000003';

const GIVEN = { now: NOW, by: 'olga' };
const UNDER_CLAIM = { now: NOW, by: 'w1', token: TOKEN };
type Fields<C> = Omit<C, 'type' | 'now' | 'by' | 'token'>;

const build =
  <T extends TaskCommandType>(type: T, given: { readonly now: string; readonly by: string; readonly token?: string }) =>
  (defaults: Fields<TaskCommandOf<T>>) =>
  (changes: Partial<TaskCommandOf<T>> = {}) =>
    ({ type, ...given, ...defaults, ...changes }) as TaskCommandOf<T>;

/** A command of each type without anything special. A test sets what matters to it. */
export const command: { readonly [T in TaskCommandType]: (changes?: Partial<TaskCommandOf<T>>) => TaskCommandOf<T> } = {
  PrepareTask: build('PrepareTask', GIVEN)({ submission: SUBMISSION }),
  EnqueueTask: build('EnqueueTask', GIVEN)({ submission: SUBMISSION, heldBy: null }),
  RejectEnqueue: build('RejectEnqueue', GIVEN)({ submission: SUBMISSION, error: ERROR }),
  GatherSubmission: build(
    'GatherSubmission',
    GIVEN,
  )({
    submission: { ...GATHERED, payload: { file: 'b.txt' }, dueAt: '2026-03-01T10:00:07.500Z' },
    limits: {},
    mostBytes: 100,
  }),
  SubmitTask: build('SubmitTask', GIVEN)({ heldBy: null }),
  HoldTask: build('HoldTask', GIVEN)({ reason: 'disk full' }),
  CatchTask: build('CatchTask', GIVEN)({ heldBy: { by: 'curator', reason: 'rights', hold: 'collection-7' } }),
  ReleaseTask: build('ReleaseTask', GIVEN)({}),
  ClaimTask: build('ClaimTask', { now: CLAIMED_AT, by: 'w1', token: TOKEN })({
    claimId: 'claim-1',
    worker: 'w1',
    server: 's1',
    leaseMs: 30_000,
    waitedMs: 40,
  }),
  StartTask: build('StartTask', { now: CLAIMED_AT, by: 'w1', token: TOKEN })({
    claimId: 'claim-1',
    worker: 'w1',
    server: 's1',
    leaseMs: 30_000,
    submission: SUBMISSION,
  }),
  CompleteStep: build(
    'CompleteStep',
    UNDER_CLAIM,
  )({ step: 'fetch', then: 'continue', result: null, conflictingTaskId: null }),
  ReportError: build('ReportError', UNDER_CLAIM)({ error: ERROR }),
  RecordData: build('RecordData', UNDER_CLAIM)({ patch: { pages: 3 } }),
  SucceedTask: build('SucceedTask', UNDER_CLAIM)({ result: null, noChange: false }),
  FailTask: build(
    'FailTask',
    UNDER_CLAIM,
  )({
    error: ERROR,
    final: false,
    policy: POLICY.fail,
    retryAfterMs: null,
    random: 0.5,
    conflictingTaskId: null,
  }),
  ReturnTask: build('ReturnTask', UNDER_CLAIM)({ conflictingTaskId: null }),
  WaitTask: build(
    'WaitTask',
    UNDER_CLAIM,
  )({ signal: 'approved', number: 1, timeoutMs: 60_000, conflictingTaskId: null }),
  SignalTask: build('SignalTask', GIVEN)({ signal: 'approved', data: { limit: 500 } }),
  TimeOutRun: build('TimeOutRun', UNDER_CLAIM)({ policy: POLICY.fail, random: 0.5, conflictingTaskId: null }),
  ExpireTask: build('ExpireTask', GIVEN)({}),
  MissDeadline: build('MissDeadline', GIVEN)({}),
  ExpireLease: build('ExpireLease', UNDER_CLAIM)({ policy: POLICY.fail, conflictingTaskId: null }),
  ConfirmCancel: build('ConfirmCancel', UNDER_CLAIM)({ conflictingTaskId: null }),
  CancelRun: build('CancelRun', UNDER_CLAIM)({ reason: 'restart', conflictingTaskId: null }),
  DecideRetry: build('DecideRetry', GIVEN)({ heldBy: null }),
  DecideFail: build('DecideFail', GIVEN)({}),
  RetryTask: build('RetryTask', GIVEN)({ step: null, override: false, heldBy: null }),
  CancelTask: build('CancelTask', GIVEN)({ reason: 'deploy', onRunning: 'cancel' }),
  StopRun: build('StopRun', GIVEN)({ reason: null }),
  AbortTask: build('AbortTask', GIVEN)({ reason: null }),
  ReprioritiseTask: build('ReprioritiseTask', GIVEN)({ priority: 9 }),
  RescheduleTask: build('RescheduleTask', GIVEN)({ dueAt: '2026-03-02T00:00:00.000Z' }),
  AmendPayload: build('AmendPayload', GIVEN)({ payload: { file: 'b.txt' } }),
  AmendData: build('AmendData', GIVEN)({ patch: { pages: 3 } }),
  ChangePrerequisites: build('ChangePrerequisites', GIVEN)({ add: [{ task: OTHER_TASK }], waive: [] }),
  SupersedeTask: build('SupersedeTask', GIVEN)({ bySuccessOf: OTHER_TASK }),
  DeleteTask: build('DeleteTask', GIVEN)({ force: false }),
  RestoreTask: build('RestoreTask', GIVEN)({ undoes: OPERATION, before: BEFORE }),
  EraseTask: build('EraseTask', GIVEN)({ erasure: OPERATION }),
  OverruleTask: build(
    'OverruleTask',
    GIVEN,
  )({ verdict: 'succeed', reason: 'checked by hand', conflictingTaskId: null }),
};
