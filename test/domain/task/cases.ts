import { fold } from '../../../src/domain/kernel/decider.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { KnownTask } from '../../../src/domain/task/task.state.js';
import type { TaskCommand, TaskCommandType } from '../../../src/domain/task/task.commands.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import {
  attemptFailed,
  BEFORE,
  cancelConfirmed,
  cancelled,
  claimed,
  command,
  enqueued,
  undecided,
  failed,
  FOREIGN_TOKEN,
  returned,
  heldWhile,
  gathers,
  HISTORIES,
  type History,
  HOLD,
  LIMITED,
  OTHER_TASK,
  POLICY,
  requested,
  retryScheduled,
  RUNNING,
  signalled,
  waited,
} from './examples.js';
import type { Cell } from './oracle.js';

/** Each command with every choice that can change its outcome. */
export const VARIANTS: { readonly [T in TaskCommandType]: readonly TaskCommand[] } = {
  PrepareTask: [command.PrepareTask()],
  EnqueueTask: [command.EnqueueTask(), command.EnqueueTask({ heldBy: HOLD })],
  RejectEnqueue: [command.RejectEnqueue()],
  GatherSubmission: [command.GatherSubmission()],
  SubmitTask: [command.SubmitTask(), command.SubmitTask({ heldBy: HOLD })],
  HoldTask: [command.HoldTask()],
  CatchTask: [command.CatchTask()],
  ReleaseTask: [command.ReleaseTask()],
  ClaimTask: [command.ClaimTask()],
  StartTask: [command.StartTask()],
  CompleteStep: [command.CompleteStep(), command.CompleteStep({ then: 'offer' })],
  ReportError: [command.ReportError()],
  RecordData: [command.RecordData()],
  SucceedTask: [command.SucceedTask()],
  FailTask: [
    command.FailTask({ policy: POLICY.fail }),
    command.FailTask({ policy: POLICY.retry }),
    command.FailTask({ policy: POLICY.decide }),
  ],
  ReturnTask: [command.ReturnTask()],
  WaitTask: [command.WaitTask()],
  SignalTask: [command.SignalTask()],
  TimeOutRun: [
    command.TimeOutRun({ policy: POLICY.fail }),
    command.TimeOutRun({ policy: POLICY.retry }),
    command.TimeOutRun({ policy: POLICY.decide }),
  ],
  ExpireTask: [command.ExpireTask()],
  MissDeadline: [command.MissDeadline()],
  ExpireLease: [
    command.ExpireLease({ policy: POLICY.fail }),
    command.ExpireLease({ policy: { ...POLICY.fail, maxLost: 0 } }),
    command.ExpireLease({ policy: { ...POLICY.decide, maxLost: 0 } }),
  ],
  ConfirmCancel: [command.ConfirmCancel()],
  CancelRun: [command.CancelRun()],
  DecideRetry: [command.DecideRetry(), command.DecideRetry({ heldBy: HOLD })],
  DecideFail: [command.DecideFail()],
  RetryTask: [command.RetryTask(), command.RetryTask({ heldBy: HOLD })],
  CancelTask: [command.CancelTask()],
  StopRun: [command.StopRun()],
  AbortTask: [command.AbortTask()],
  ReprioritiseTask: [command.ReprioritiseTask()],
  RescheduleTask: [command.RescheduleTask()],
  AmendPayload: [command.AmendPayload()],
  AmendData: [command.AmendData()],
  ChangePrerequisites: [command.ChangePrerequisites()],
  SupersedeTask: [command.SupersedeTask()],
  DeleteTask: [command.DeleteTask(), command.DeleteTask({ force: true })],
  RestoreTask: [
    command.RestoreTask(),
    command.RestoreTask({ before: { ...BEFORE, state: fold(taskDecider, HISTORIES.failed[0]!) as KnownTask } }),
  ],
  EraseTask: [command.EraseTask()],
  OverruleTask: [
    command.OverruleTask({ verdict: 'succeed' }),
    command.OverruleTask({ verdict: 'fail' }),
    command.OverruleTask({ verdict: 'requeue' }),
  ],
};

/** The same commands if another task took the waiting place of the key meanwhile. */
export const DISPLACED: readonly TaskCommand[] = [
  command.CompleteStep({ then: 'offer', conflictingTaskId: OTHER_TASK }),
  command.FailTask({ policy: POLICY.retry, conflictingTaskId: OTHER_TASK }),
  command.TimeOutRun({ policy: POLICY.retry, conflictingTaskId: OTHER_TASK }),
  command.ReturnTask({ conflictingTaskId: OTHER_TASK }),
  command.WaitTask({ conflictingTaskId: OTHER_TASK }),
  command.ExpireLease({ conflictingTaskId: OTHER_TASK }),
  command.ConfirmCancel({ conflictingTaskId: OTHER_TASK }),
  command.CancelRun({ conflictingTaskId: OTHER_TASK }),
  command.OverruleTask({ verdict: 'requeue', conflictingTaskId: OTHER_TASK }),
];

/** A step that ends the task instead of leading to another one. */
export const LAST_STEP: readonly TaskCommand[] = [command.CompleteStep({ step: 'store' })];

export const SETTLED: Readonly<Record<string, History>> = {
  retried: [enqueued, claimed, attemptFailed, retryScheduled],
  undecided: [enqueued, claimed, attemptFailed, undecided],
  failed: [enqueued, claimed, attemptFailed, failed()],
  returned: [enqueued, claimed, returned],
  waited: [enqueued, claimed, waited],
  cancelled: [enqueued, claimed, requested('cancelled'), cancelConfirmed, cancelled('running')],
  held: [enqueued, claimed, requested('held'), cancelConfirmed, heldWhile('running')],
};

const { key: _key, ...keyless } = enqueued.data;
const WITHOUT_KEY: History = [{ ...enqueued, data: keyless }, ...SETTLED.failed!.slice(1)];

/** For cells about a task in a certain situation: the histories that lead there. */
const SITUATIONS: Readonly<Record<string, readonly History[]>> = {
  'CompleteStep running': [RUNNING.firstStep],
  'ConfirmCancel running': [RUNNING.toBeCancelled, RUNNING.toBeHeld],
  'ConfirmCancel held': [SETTLED.held!],
  'ConfirmCancel cancelled': [SETTLED.cancelled!],
  'CancelRun running': [RUNNING.plain, RUNNING.toBeCancelled, RUNNING.toBeHeld],
  'CancelRun held': [SETTLED.held!],
  'CancelRun cancelled': [SETTLED.cancelled!],
  'FailTask pending': [SETTLED.retried!],
  'FailTask undecided': [SETTLED.undecided!],
  'FailTask failed': [SETTLED.failed!],
  'ReturnTask pending': [SETTLED.returned!],
  'WaitTask pending': [SETTLED.waited!],
  'WaitTask running': [RUNNING.plain, [enqueued, claimed, signalled]],
  'TimeOutRun running': [LIMITED.running],
  'ExpireTask prepared': [LIMITED.prepared],
  'ExpireTask pending': [LIMITED.pending],
  'ExpireTask held': [LIMITED.held],
  'MissDeadline prepared': [LIMITED.prepared],
  'MissDeadline pending': [LIMITED.pending],
  'MissDeadline held': [LIMITED.held],
  'MissDeadline running': [LIMITED.running],
  'MissDeadline undecided': [LIMITED.undecided],
  'GatherSubmission pending': [[gathers]],
  'GatherSubmission held': [[gathers, heldWhile('pending')]],
  'EraseTask failed': [SETTLED.failed!, WITHOUT_KEY],
};

export interface Case {
  readonly history: readonly TaskEvent[];
  readonly command: TaskCommand;
}

/**
 * The cases to try for one cell of the table. If the cell refuses, a worker's token is from a claim that settled
 * nothing.
 */
export function casesOf({ command: type, status, text }: Cell): readonly Case[] {
  const histories = SITUATIONS[`${type} ${status}`] ?? HISTORIES[status];
  const foreign = text === 'x' && type !== 'ClaimTask' && type !== 'StartTask';
  return histories.flatMap((history) =>
    VARIANTS[type].map((variant) => ({ history, command: foreign ? withToken(variant, FOREIGN_TOKEN) : variant })),
  );
}

const withToken = (variant: TaskCommand, token: string): TaskCommand =>
  'token' in variant ? { ...variant, token } : variant;
