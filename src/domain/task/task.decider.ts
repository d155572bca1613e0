import type { Decider } from '../kernel/decider.js';
import { amendPayload, reprioritise, reschedule } from './task.amendment.js';
import { claim } from './task.claim.js';
import type { TaskCommand, TaskCommandOf, TaskCommandType } from './task.commands.js';
import type { TaskEvent } from './task.events.js';
import { evolveTask } from './task.evolve.js';
import { expireLease, fail } from './task.failure.js';
import { abort, cancel, hold, release, remove, supersede } from './task.operation.js';
import { decideFail, decideRetry, overrule, retry } from './task.recovery.js';
import type { TaskRejection } from './task.rejections.js';
import { confirmCancel, returnTask, reportError, succeed } from './task.settlement.js';
import { leanTask } from './task.lean.js';
import type { KnownTask, TaskState } from './task.state.js';
import { completeStep } from './task.steps.js';
import { begin, enqueueAgain, prepareAgain, rejectAgain, submit } from './task.submission.js';
import type { DecideTaskRequest } from './task.transitions.js';

export { allowedCommands } from './task.transitions.js';

/** One task: every command in every status is said in `docs/state-machine.md`, and tested against its table. */
export const taskDecider: Decider<TaskState, TaskCommand, TaskEvent, TaskRejection> = {
  initialState: { status: 'unknown' },
  evolve: evolveTask,
  decide: (command, state) => (state.status === 'unknown' ? begin(command) : decideOnTask(command, state)),
  lean: leanTask,
};

function decideOnTask(command: TaskCommand, state: KnownTask): DecideTaskRequest {
  const rule = rules[command.type] as (command: TaskCommand, state: KnownTask) => DecideTaskRequest;
  return rule(command, state);
}

const rules: { readonly [T in TaskCommandType]: (command: TaskCommandOf<T>, state: KnownTask) => DecideTaskRequest } = {
  PrepareTask: prepareAgain,
  EnqueueTask: enqueueAgain,
  RejectEnqueue: rejectAgain,
  SubmitTask: submit,
  HoldTask: hold,
  ReleaseTask: release,
  ClaimTask: claim,
  CompleteStep: completeStep,
  ReportError: reportError,
  SucceedTask: succeed,
  FailTask: fail,
  ReturnTask: returnTask,
  ExpireLease: expireLease,
  ConfirmCancel: confirmCancel,
  DecideRetry: decideRetry,
  DecideFail: decideFail,
  RetryTask: retry,
  CancelTask: cancel,
  AbortTask: abort,
  ReprioritiseTask: reprioritise,
  RescheduleTask: reschedule,
  AmendPayload: amendPayload,
  SupersedeTask: supersede,
  DeleteTask: remove,
  OverruleTask: overrule,
};
