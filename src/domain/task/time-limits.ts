import { accept, alreadyDone } from '../kernel/decider.js';
import type { IsoTime } from '../kernel/json.js';
import { holdsClaim, leaseLost } from './claim.js';
import { endOfAttempt, keyOf, leaving } from './event-parts.js';
import { afterFailure } from './failure.js';
import type { TaskCommandOf } from './task.commands.js';
import { isOpen, type TaskError, type TaskEvent } from './task.events.js';
import type { KnownTask, RunningTask } from './task.state.js';
import type { TaskDecision, TaskRules } from './task.transitions.js';

// The sweeper gives these commands for times that have passed by the database's clock.

export const TIME_LIMIT_RULES = {
  TimeOutRun: timeOut,
  ExpireTask: expire,
  MissDeadline: missDeadline,
} satisfies Partial<TaskRules>;

/** An attempt that takes too long counts as failed, however alive its worker is. */
function timeOut(command: TaskCommandOf<'TimeOutRun'>, state: KnownTask): TaskDecision {
  if (state.status !== 'running') return alreadyDone;
  if (!holdsClaim(command, state)) return leaseLost(state);
  const { runUntil } = state.lease;
  if (runUntil === undefined) return alreadyDone;
  const error = tookTooLong(state, runUntil);
  const data = { error, ...endOfAttempt(state, command.now) };
  const failure = { ...command, error, final: false, retryAfterMs: null };
  return accept<TaskEvent>({ type: 'TaskAttemptFailed', version: 1, data }, ...afterFailure(failure, state));
}

const tookTooLong = ({ task, lease }: RunningTask, runUntil: IsoTime): TaskError => ({
  message: `Expected worker '${lease.worker}' to end attempt ${task.attempt} by ${runUntil}, but it still ran then`,
  class: 'timeout',
});

/** Whatever keeps the task waiting: it has no worker, and gets none any more. */
function expire(_: TaskCommandOf<'ExpireTask'>, state: KnownTask): TaskDecision {
  const { status, task } = state;
  if (status !== 'prepared' && status !== 'pending' && status !== 'held') return alreadyDone;
  if (task.expiresAt === null) return alreadyDone;
  const error: TaskError = {
    message: `Expected a worker to claim the task before ${task.expiresAt}, but none did`,
    class: 'expired',
  };
  const failure = { error, final: false, decidedBy: 'policy', exhausted: true as const };
  return accept<TaskEvent>({ type: 'TaskFailed', version: 1, data: { ...failure, ...leaving(state), ...keyOf(task) } });
}

/** A task that has ended misses nothing. If it is retried after its deadline, it is too late then. */
function missDeadline(_: TaskCommandOf<'MissDeadline'>, { status, task }: KnownTask): TaskDecision {
  const { deadlineAt, deadlineMissed, submission } = task;
  if (!isOpen(status) || deadlineMissed || deadlineAt === null) return alreadyDone;
  const data = { queue: submission.queue, deadlineAt };
  return accept<TaskEvent>({ type: 'TaskDeadlineMissed', version: 1, data });
}
