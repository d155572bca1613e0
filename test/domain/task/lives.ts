import fc from 'fast-check';
import { type Decision, fold } from '../../../src/domain/kernel/decider.js';
import type { FailurePolicy } from '../../../src/domain/task/failure-policy.js';
import type { TaskCommand } from '../../../src/domain/task/task.commands.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { REPORTED_CLASSES, type TaskEvent } from '../../../src/domain/task/task.events.js';
import type { TaskRejection } from '../../../src/domain/task/task.rejections.js';
import type { Before, KnownTask, TaskState } from '../../../src/domain/task/task.state.js';
import { wasEntered } from '../../../src/domain/task/turns.events.js';
import { BEFORE, command, GATHERED, HOLD, OTHER_TASK, POLICY, STEPS, SUBMISSION } from './examples.js';

/** One command of a random life, with its outcome. */
export interface Step {
  readonly before: TaskState;
  readonly command: TaskCommand;
  readonly decision: Decision<TaskEvent, TaskRejection>;
  readonly events: readonly TaskEvent[];
  readonly after: TaskState;
}

/** A command to give next. Its token and time depend on the life so far. */
type Intent = (given: Given) => TaskCommand;

interface Given {
  readonly now: string;
  readonly token: string;
  readonly claimToken: string;
  /** The task before its last command, if an undo can take that back. */
  readonly before: Before | null;
}

/** The commands that operations give, without the change of a priority, which another change takes back. */
const UNDONE: ReadonlySet<string> = new Set([
  'HoldTask',
  'ReleaseTask',
  'RetryTask',
  'CancelTask',
  'AbortTask',
  'DeleteTask',
]);

const text = fc.constantFrom('a', 'b');
const heldBy = fc.constantFrom(null, HOLD);
const conflictingTaskId = fc.constantFrom(null, null, null, OTHER_TASK);
const json = fc.constantFrom(null, 1, 'x', { a: [1, 2] });
const error = fc.record({ message: text, class: fc.constantFrom(...REPORTED_CLASSES) }, { noNullPrototype: true });
const step = fc.constantFrom(...STEPS, 'paint');
const submission = fc.constantFrom(
  SUBMISSION,
  { ...SUBMISSION, steps: STEPS },
  { queue: 'ingest', kind: 'import', priority: 3, dueAt: '2026-03-05T00:00:00.000Z' },
  GATHERED,
  { ...SUBMISSION, expiresAt: '2026-03-01T00:00:09.000Z', deadlineAt: '2026-03-01T00:00:09.000Z' },
);
const onFailure = fc.constantFrom('fail', 'retry', 'decide');
const maxLost = fc.integer({ min: 0, max: 3 });
const ownRules = fc.record(
  { name: step, onFailure, maxLost, retry: fc.record({ maxAttempts: fc.integer({ min: 1, max: 3 }) }) },
  { requiredKeys: ['name'], noNullPrototype: true },
);
const policy: fc.Arbitrary<FailurePolicy> = fc.record(
  {
    onFailure,
    maxLost,
    retry: fc.constant(POLICY.retry.retry),
    steps: fc.array(fc.oneof(step, ownRules), { maxLength: 3 }),
  },
  { requiredKeys: ['onFailure', 'maxLost', 'retry'], noNullPrototype: true },
);

const by = <T extends keyof typeof command>(
  type: T,
  fields: Partial<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<Intent> =>
  fc.record(fields as Record<string, fc.Arbitrary<unknown>>).map(
    (changes) =>
      ({ now, token }) =>
        (command[type] as (changes: object) => TaskCommand)({
          ...changes,
          now,
          ...(NEEDS_TOKEN.has(type) && { token }),
        }),
  );

const NEEDS_TOKEN = new Set<string>([
  'CompleteStep',
  'ReportError',
  'RecordData',
  'SucceedTask',
  'FailTask',
  'ReturnTask',
  'WaitTask',
  'ExpireLease',
  'TimeOutRun',
  'ConfirmCancel',
  'CancelRun',
]);

const limits = fc.constantFrom(undefined, undefined, { maxRunMs: 3_000, steps: [{ name: 'check', maxRunMs: 1_000 }] });

const claim: fc.Arbitrary<Intent> = fc.record({ claimId: text, worker: text, limits }).map(
  (changes) =>
    ({ now, claimToken }) =>
      command.ClaimTask({ ...changes, now, token: claimToken }),
);

const start: fc.Arbitrary<Intent> = fc.record({ claimId: text, worker: text, submission }).map(
  (changes) =>
    ({ now, claimToken }) =>
      command.StartTask({ ...changes, now, token: claimToken }),
);

/** Where there is nothing to undo, it asks for what it must not get: a deleted task. */
const restore: fc.Arbitrary<Intent> = fc.constant(({ now, before }) =>
  command.RestoreTask({
    now,
    before: before ?? { ...BEFORE, state: { ...BEFORE.state, status: 'deleted' } as KnownTask },
  }),
);

const data = fc.constantFrom({ pages: 3 }, { ark: 'a/1', pages: null }, { pages: { of: 4 } });
const patch = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, data);

const INTENT: fc.Arbitrary<Intent> = fc.oneof(
  by('PrepareTask', { submission }),
  by('EnqueueTask', { submission, heldBy }),
  { weight: 1, arbitrary: by('RejectEnqueue', { submission, error }) },
  { weight: 2, arbitrary: by('SubmitTask', { heldBy }) },
  { weight: 4, arbitrary: by('GatherSubmission', { limits: fc.constantFrom({}, { ttlMs: 5_000 }) }) },
  by('HoldTask', { reason: fc.constantFrom(null, 'why') }),
  by('CatchTask', { heldBy: fc.constant(HOLD) }),
  { weight: 2, arbitrary: by('ReleaseTask') },
  { weight: 8, arbitrary: claim },
  { weight: 1, arbitrary: start },
  {
    weight: 6,
    arbitrary: by('CompleteStep', {
      step,
      then: fc.constantFrom('continue', 'offer'),
      result: json,
      conflictingTaskId,
      data: patch,
      priority: fc.constantFrom(undefined, undefined, 2),
      takesPriority: fc.constantFrom(true, true, false),
      unmarked: fc.constantFrom(undefined, true),
      limits,
    }),
  },
  by('ReportError', { error }),
  by('RecordData', { patch: data }),
  by('SucceedTask', { result: json, noChange: fc.boolean() }),
  {
    weight: 3,
    arbitrary: by('FailTask', {
      error,
      final: fc.constantFrom(false, false, false, true),
      policy,
      retryAfterMs: fc.constantFrom(null, 5_000),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      conflictingTaskId,
    }),
  },
  by('ReturnTask', { conflictingTaskId, afterMs: fc.constantFrom(undefined, 0, 5_000) }),
  {
    weight: 3,
    arbitrary: by('WaitTask', {
      signal: fc.constantFrom('approved', 'approved', 'paid', undefined),
      number: fc.constantFrom(1, 1, 2),
      timeoutMs: fc.constantFrom(1_000, 5_000, 60_000),
      conflictingTaskId,
    }),
  },
  { weight: 2, arbitrary: by('SignalTask', { signal: fc.constantFrom('approved', 'paid'), data: json }) },
  by('TimeOutRun', { policy, random: fc.constant(0.5), conflictingTaskId }),
  by('ExpireTask'),
  by('MissDeadline'),
  { weight: 2, arbitrary: by('ExpireLease', { policy, conflictingTaskId }) },
  { weight: 2, arbitrary: by('ConfirmCancel', { conflictingTaskId }) },
  { weight: 1, arbitrary: by('CancelRun', { reason: fc.constantFrom(null, 'why'), conflictingTaskId }) },
  by('DecideRetry', { heldBy }),
  by('DecideFail'),
  {
    weight: 3,
    arbitrary: by('RetryTask', { step: fc.constantFrom(null, null, ...STEPS), override: fc.boolean(), heldBy, policy }),
  },
  by('CancelTask', { reason: fc.constantFrom(null, 'why') }),
  { weight: 1, arbitrary: by('StopRun') },
  { weight: 1, arbitrary: by('AbortTask') },
  by('ReprioritiseTask', { priority: fc.constantFrom(0, 3, 9) }),
  by('RescheduleTask', { dueAt: fc.constantFrom(null, '2026-03-05T00:00:00.000Z') }),
  by('AmendPayload', {
    payload: json,
    limits: fc.constantFrom(
      undefined,
      { ttlMs: 5_000 },
      { expiresAt: '2026-03-06T00:00:00.000Z' },
      { deadlineAt: '2026-03-06T00:00:00.000Z' },
    ),
  }),
  { weight: 1, arbitrary: by('AmendData', { patch: data }) },
  by('ChangePrerequisites', {
    add: fc.constantFrom([], [{ task: OTHER_TASK }], [{ task: OTHER_TASK, ignore: true }]),
    waive: fc.constantFrom([], [OTHER_TASK]),
  }),
  by('SupersedeTask'),
  { weight: 1, arbitrary: by('DeleteTask', { force: fc.boolean() }) },
  { weight: 1, arbitrary: by('EraseTask', { erasure: fc.constant('0198c0de-0000-7000-8000-000000000004') }) },
  { weight: 4, arbitrary: restore },
  by('OverruleTask', {
    verdict: fc.constantFrom('succeed', 'fail', 'requeue'),
    reason: fc.constantFrom('', 'why'),
    conflictingTaskId,
  }),
);

/** Which of the claims so far the worker uses: nearly always the current one. */
const belief = fc.constantFrom('current', 'current', 'current', 'current', 'earlier', 'never');

/** Nearly every life begins with a submission, because otherwise there is nothing to do. */
const BIRTH: fc.Arbitrary<Intent> = fc.oneof(
  { weight: 6, arbitrary: by('EnqueueTask', { submission, heldBy }) },
  { weight: 2, arbitrary: by('PrepareTask', { submission }) },
  { weight: 1, arbitrary: start },
  { weight: 1, arbitrary: INTENT },
);

/** Lives of up to 40 commands from anybody, in any order. */
export const LIVES: fc.Arbitrary<readonly Step[]> = fc
  .tuple(BIRTH, fc.array(fc.tuple(INTENT, belief), { maxLength: 40, size: 'max' }))
  .map(([birth, intents]) => live([[birth, 'never'], ...intents]));

function live(intents: readonly (readonly [Intent, string])[]): Step[] {
  const steps: Step[] = [];
  const tokens: string[] = [];
  let state: TaskState = taskDecider.initialState;
  let before: Before | null = null;
  intents.forEach(([intent, belief], at) => {
    const now = new Date(Date.UTC(2026, 2, 1) + at * 1_000).toISOString();
    const given = intent({ now, token: tokenOf(belief, tokens), claimToken: String(100 + at), before });
    const step = decide(given, state);
    if (step.events.length > 0) before = beforeOf(step, steps);
    if ((given.type === 'ClaimTask' || given.type === 'StartTask') && step.events.length > 0) tokens.push(given.token);
    steps.push(step);
    state = step.after;
  });
  return steps;
}

function beforeOf({ before: state, command: { type } }: Step, steps: readonly Step[]): Before | null {
  if (state.status === 'unknown' || !UNDONE.has(type)) return null;
  const events = steps.flatMap((step) => step.events);
  return { state, entered: wasEntered(events, state.task.submission.steps !== undefined), place: null };
}

const tokenOf = (belief: string, tokens: readonly string[]): string =>
  (belief === 'never' ? undefined : tokens.at(belief === 'current' ? -1 : -2)) ?? '1';

function decide(given: TaskCommand, before: TaskState): Step {
  const decision = taskDecider.decide(given, before);
  const events = decision.kind === 'accepted' ? decision.events : [];
  return { before, command: given, decision, events, after: fold(taskDecider, events, before) };
}
