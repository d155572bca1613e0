import { accept, alreadyDone, reject } from '../kernel/decider.js';
import type { TaskCommandOf } from './task.commands.js';
import type { FromStatus, TaskEvent } from './task.events.js';
import { lacksApproval, releasedBy } from './approval.js';
import type { CancelRequest, KnownTask, RunningTask, TaskFacts } from './task.state.js';
import { type TaskDecision, illegal, type TaskRules } from './task.transitions.js';
import { holdRef, leaving, ofAttempt, reasonIn, rerunOf } from './event-parts.js';

export const OPERATION_RULES = {
  HoldTask: hold,
  CatchTask: catchTask,
  ReleaseTask: release,
  CancelTask: cancel,
  StopRun: stop,
  AbortTask: abort,
  SupersedeTask: supersede,
  DeleteTask: remove,
} satisfies Partial<TaskRules>;

type Leaving = { readonly status: FromStatus; readonly task: TaskFacts };

function hold(command: TaskCommandOf<'HoldTask'>, state: KnownTask): TaskDecision {
  switch (state.status) {
    case 'pending': {
      const data = { heldBy: holdRef(command.by, command.reason), ...leaving(state) };
      return accept<TaskEvent>({ type: 'TaskHeld', version: 1, data });
    }
    case 'running':
      return requestCancel(command, state, 'held');
    case 'held':
      return alreadyDone;
    default:
      return illegal(command, state);
  }
}

/** A hold caught the task when it was about to be given out. Whatever became of it meanwhile stays. */
function catchTask({ heldBy }: TaskCommandOf<'CatchTask'>, state: KnownTask): TaskDecision {
  if (state.status !== 'pending') return alreadyDone;
  return accept<TaskEvent>({ type: 'TaskHeld', version: 1, data: { heldBy, ...leaving(state) } });
}

function release(command: TaskCommandOf<'ReleaseTask'>, state: KnownTask): TaskDecision {
  switch (state.status) {
    case 'held': {
      if (lacksApproval(command, state)) return reject({ code: 'APPROVAL_NEEDED', by: state.heldBy.by });
      const data = { queue: state.task.submission.queue, by: releasedBy(command, state) };
      return accept<TaskEvent>({ type: 'TaskReleased', version: 1, data });
    }
    case 'pending':
      return alreadyDone;
    default:
      return illegal(command, state);
  }
}

/** What a shutdown stopped would be resumed, so a person who cancels it as well is recorded. */
function cancel(command: TaskCommandOf<'CancelTask'>, state: KnownTask): TaskDecision {
  switch (state.status) {
    case 'prepared':
    case 'pending':
    case 'held':
    case 'undecided':
      return accept<TaskEvent>(cancelled(command, state));
    case 'running':
      return requestCancel(command, state, command.onRunning === 'fail' ? 'failed' : 'cancelled');
    case 'cancelled':
      return state.byShutdown ? accept<TaskEvent>(cancelled(command, state)) : alreadyDone;
    default:
      return illegal(command, state);
  }
}

function cancelled({ by, reason }: TaskCommandOf<'CancelTask'>, state: Leaving): TaskEvent {
  return { type: 'TaskCancelled', version: 1, data: { by, ...leaving(state), ...reasonIn(reason) } };
}

/** For a shutdown of the system. A request that a person has made stays. */
function stop({ by, reason }: TaskCommandOf<'StopRun'>, state: KnownTask): TaskDecision {
  if (state.status !== 'running' || state.cancelRequest !== null) return alreadyDone;
  const data = { by, then: 'cancelled' as const, shutdown: true as const, ...ofAttempt(state), ...reasonIn(reason) };
  return accept<TaskEvent>({ type: 'TaskCancelRequested', version: 1, data });
}

/**
 * The worker learns of the request by its next heartbeat. Of two different requests, the later one counts. A person's
 * differs from that of a shutdown, after which the task would be resumed.
 */
function requestCancel(
  { by, reason }: TaskCommandOf<'HoldTask' | 'CancelTask'>,
  state: RunningTask,
  then: CancelRequest['then'],
): TaskDecision {
  if (state.cancelRequest?.then === then && !state.cancelRequest.shutdown) return alreadyDone;
  const data = { by, then, ...ofAttempt(state), ...reasonIn(reason) };
  return accept<TaskEvent>({ type: 'TaskCancelRequested', version: 1, data });
}

function abort(command: TaskCommandOf<'AbortTask'>, state: KnownTask): TaskDecision {
  switch (state.status) {
    case 'prepared':
    case 'pending':
    case 'held':
    case 'running':
    case 'undecided':
    case 'failed':
    case 'cancelled': {
      const own = { by: command.by, ...leaving(state), ...reasonIn(command.reason), ...workerOf(state) };
      const data = command.prerequisite === undefined ? own : { ...own, prerequisite: command.prerequisite };
      return accept<TaskEvent>({ type: 'TaskAborted', version: 1, data });
    }
    case 'aborted':
      return alreadyDone;
    default:
      return illegal(command, state);
  }
}

/** A running task is deleted only with `force`, because its worker is still at it. */
function remove(command: TaskCommandOf<'DeleteTask'>, state: KnownTask): TaskDecision {
  if (state.status === 'deleted') return alreadyDone;
  if (state.status !== 'running') return accept<TaskEvent>(deleted(command.by, state));
  return command.force ? accept<TaskEvent>(deleted(command.by, state)) : illegal(command, state);
}

function deleted(by: string, state: Exclude<KnownTask, { readonly status: 'deleted' }>): TaskEvent {
  const forced = state.status === 'running' && { forced: true, ...workerOf(state) };
  return { type: 'TaskDeleted', version: 1, data: { by, ...leaving(state), ...forced } };
}

/** The worker that does not expect the task to end. */
const workerOf = (state: Leaving & { readonly lease?: RunningTask['lease'] }): { readonly worker?: string } =>
  state.lease === undefined ? {} : { worker: state.lease.worker };

/** Does nothing unless the task is still failed or undecided, because the success was recorded earlier. */
function supersede(command: TaskCommandOf<'SupersedeTask'>, state: KnownTask): TaskDecision {
  if (state.status !== 'failed' && state.status !== 'undecided') return alreadyDone;
  const data = { bySuccessOf: command.bySuccessOf, ...leaving(state), ...rerunOf(state.task) };
  return accept<TaskEvent>({ type: 'TaskSuperseded', version: 1, data });
}
