import type { Decider } from '../kernel/decider.js';
import { amendPayload, reprioritise, reschedule } from './amendment.js';
import { claim } from './claim.js';
import { expireLease, fail } from './failure.js';
import { abort, cancel, hold, release, remove, supersede } from './operation.js';
import { decideFail, decideRetry, overrule, retry } from './recovery.js';
import { completeStep, confirmCancel, reportError, returnTask, succeed } from './settlement.js';
import { begin, enqueueAgain, prepareAgain, rejectAgain, submit } from './submission.js';
import type { TaskCommand, TaskCommandOf, TaskCommandType } from './task.commands.js';
import type { TaskEvent } from './task.events.js';
import { evolveTask } from './task.evolve.js';
import type { TaskRejection } from './task.rejections.js';
import { type KnownTask, leanTask, type TaskState } from './task.state.js';
import type { TaskDecision } from './task.transitions.js';

export { allowedCommands } from './task.transitions.js';

/** One task: every command in every status is said in `docs/state-machine.md`, and tested against its table. */
export const taskDecider: Decider<TaskState, TaskCommand, TaskEvent, TaskRejection> = {
  initialState: { status: 'unknown' },
  evolve: evolveTask,
  decide: (command, state) => (state.status === 'unknown' ? begin(command) : decideOnTask(command, state)),
  lean: leanTask,
};

function decideOnTask(command: TaskCommand, state: KnownTask): TaskDecision {
  const rule = rules[command.type] as (command: TaskCommand, state: KnownTask) => TaskDecision;
  return rule(command, state);
}

const rules: { readonly [T in TaskCommandType]: (command: TaskCommandOf<T>, state: KnownTask) => TaskDecision } = {
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
