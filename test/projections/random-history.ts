import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { fold } from '../../src/domain/kernel/decider.js';
import { DEFAULT_POLICY } from '../../src/domain/queue/queue.policy.js';
import type { TaskCommand } from '../../src/domain/task/task.commands.js';
import { taskDecider } from '../../src/domain/task/task.decider.js';
import type { TaskEvent } from '../../src/domain/task/task.events.js';
import type { TaskState } from '../../src/domain/task/task.state.js';
import { taskStream } from '../../src/domain/task/task.stream.js';

/** One attempt on one of a few tasks. */
export interface Attempted {
  readonly task: number;
  readonly choice: number;
  readonly roll: number;
}

export const TASKS = 4;
const QUEUES = ['mail', 'scan'];
const CLASSES = ['business', 'application', 'transient', 'bug'] as const;

export const attempts = (maxLength = 60): fc.Arbitrary<Attempted[]> =>
  fc.array(fc.record({ task: fc.nat(TASKS - 1), choice: fc.nat(999), roll: fc.nat(999) }), {
    minLength: 10,
    maxLength,
    size: 'max',
  });

/** Returns the same id for the same number in the same run, and other ids in other runs. */
export function taskId(run: string, task: number): string {
  const hex = createHash('sha256').update(`${run} ${task}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const at = (tick: number): string => new Date(Date.UTC(2026, 10, 21) + tick * 1000).toISOString();

/** Tokens and claim ids are unique in the whole database, so these begin beyond those that the tests' real claims get. */
let lastToken = 1_000_000;

/** The command of the n-th attempt on a task in this state: mostly one that is possible. */
export function commandFor(state: TaskState, { task, choice, roll }: Attempted, tick: number): TaskCommand {
  const given = { now: at(tick), by: 'ann' };
  const submission = {
    queue: QUEUES[task % 2]!,
    kind: 'task',
    priority: roll % 3,
    payload: { n: roll },
    ...(task === 3 && { steps: ['fetch', 'store'] }),
    ...(roll % 4 === 0 && { dueAt: at(tick + 30) }),
  };
  const heldBy = roll % 5 === 0 ? { by: 'bob' } : null;
  if (state.status === 'unknown') {
    if (choice % 6 === 0) return { ...given, type: 'PrepareTask', submission };
    if (choice % 6 === 1)
      return { ...given, type: 'RejectEnqueue', submission, error: { message: 'no', class: 'business' } };
    return { ...given, type: 'EnqueueTask', submission, heldBy };
  }
  const conflictingTaskId = roll % 7 === 0 ? taskId('other', 0) : null;
  const error = { message: `broken ${roll}`, class: CLASSES[roll % 4]! };
  const policy = { ...DEFAULT_POLICY, maxLost: 1, onFailure: (['fail', 'retry', 'decide'] as const)[roll % 3]! };
  const token = state.status === 'running' ? state.lease.token : '0';
  const mine = { ...given, token };
  const step = state.task.nextStep ?? 'fetch';
  const claim = {
    ...given,
    type: 'ClaimTask' as const,
    token: String(++lastToken),
    claimId: uuidv7(),
    worker: `w${roll % 3}`,
    server: `s${roll % 2}`,
    leaseMs: 1000,
    waitedMs: roll,
  };
  const whileRunning: TaskCommand[] = [
    { ...mine, type: 'SucceedTask', result: { ok: roll }, noChange: false },
    {
      ...mine,
      type: 'FailTask',
      error,
      final: roll % 9 === 0,
      policy,
      retryAfterMs: null,
      random: 0.5,
      conflictingTaskId,
    },
    { ...mine, type: 'ExpireLease', policy, conflictingTaskId },
    { ...mine, type: 'ReturnTask', conflictingTaskId },
    { ...mine, type: 'ConfirmCancel', conflictingTaskId },
    { ...mine, type: 'ReportError', error },
    { ...mine, type: 'CompleteStep', step, then: roll % 2 ? 'offer' : 'continue', result: null, conflictingTaskId },
    {
      ...given,
      type: 'OverruleTask',
      verdict: (['succeed', 'fail', 'requeue'] as const)[roll % 3]!,
      reason: 'so',
      conflictingTaskId,
    },
  ];
  const always: TaskCommand[] = [
    { ...given, type: 'SubmitTask', heldBy },
    { ...given, type: 'HoldTask', reason: null },
    { ...given, type: 'ReleaseTask' },
    { ...given, type: 'DecideRetry', heldBy },
    { ...given, type: 'DecideFail' },
    { ...given, type: 'RetryTask', step: null, override: false, heldBy },
    { ...given, type: 'CancelTask', reason: 'enough', onRunning: roll % 3 ? 'cancel' : 'fail' },
    { ...given, type: 'AbortTask', reason: null },
    { ...given, type: 'ReprioritiseTask', priority: roll % 10 },
    { ...given, type: 'RescheduleTask', dueAt: roll % 2 ? at(tick + 60) : null },
    {
      ...given,
      type: 'AmendPayload',
      payload: { amended: roll },
      limits: roll % 2 ? { ttlMs: 60_000, deadlineAt: at(tick + 60) } : {},
    },
    { ...given, type: 'SupersedeTask', bySuccessOf: taskId('other', 1) },
    { ...given, type: 'DeleteTask', force: roll % 2 === 0 },
  ];
  if (state.status === 'pending' && choice % 2) return claim;
  const choices = state.status === 'running' && choice % 4 ? whileRunning : always;
  return choices[(choice >> 2) % choices.length]!;
}

export interface History {
  /** One list per accepted append. */
  readonly appends: readonly (readonly RecordedEvent<TaskEvent>[])[];
  readonly events: readonly RecordedEvent<TaskEvent>[];
  readonly states: readonly TaskState[];
}

/** The history of a few tasks when these attempts are decided one after the other. */
export function historyOf(attempted: readonly Attempted[], run = 'run'): History {
  const states: TaskState[] = Array.from({ length: TASKS }, () => taskDecider.initialState);
  const revisions = states.map(() => -1);
  const appends: RecordedEvent<TaskEvent>[][] = [];
  let position = 0n;
  attempted.forEach((one, tick) => {
    const decision = taskDecider.decide(commandFor(states[one.task]!, one, tick), states[one.task]!);
    if (decision.kind !== 'accepted') return;
    states[one.task] = fold(taskDecider, decision.events, states[one.task]!);
    appends.push(
      decision.events.map((event) => ({
        position: ++position,
        stream: taskStream(taskId(run, one.task)),
        revision: ++revisions[one.task]!,
        id: taskId('event', Number(position)),
        recordedAt: at(tick),
        event,
        envelope: { actor: 'ann', correlationId: 'c' },
      })),
    );
  });
  return { appends, events: appends.flat(), states };
}
