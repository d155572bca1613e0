import { accept } from '../kernel/decider.js';
import type { TaskCommandOf } from './task.commands.js';
import type { Restored, RestoredStatus, TaskEventOf } from './task.events.js';
import type { Before, KnownTask } from './task.state.js';
import { illegal, type TaskDecision, type TaskRules } from './task.transitions.js';

export const RESTORE_RULES = { RestoreTask: restore } satisfies Partial<TaskRules>;

/** A task is never deleted or running again: to undo an undo is to give the command again. */
function restore(command: TaskCommandOf<'RestoreTask'>, state: KnownTask): TaskDecision {
  const { undoes, before, by } = command;
  const to = statusOf(before.state);
  if (!LEFT.includes(state.status) || to === null) return illegal(command, state);
  const { queue } = state.task.submission;
  const data = { queue, from: state.status, to, undoes, by, was: factsOf(before), ...standingOf(before.state) };
  return accept({ type: 'TaskRestored' as const, version: 1 as const, data });
}

/** The states to which the commands lead that can be undone. A running task keeps a request that was made to its worker. */
const LEFT: readonly KnownTask['status'][] = ['pending', 'held', 'cancelled', 'aborted', 'deleted'];

/** Nobody gets a running attempt back: its worker has stopped, or is refused. */
function statusOf({ status }: KnownTask): RestoredStatus | null {
  if (status === 'deleted') return null;
  return status === 'running' ? 'pending' : status;
}

function factsOf({ state: { task }, entered, place }: Before): Restored {
  const { failures, lost, lostBy, nextStep: step, beforeStep, expiresAt } = task;
  return {
    failures,
    lost,
    ...(lostBy.length > 0 && { lostBy }),
    ...(step !== null && { step }),
    ...(entered && { entered }),
    ...(beforeStep !== null && { beforeStep }),
    ...(expiresAt !== null && { expiresAt }),
    ...(place !== null && { place }),
  };
}

type Standing = Pick<TaskEventOf<'TaskRestored'>['data'], 'heldBy' | 'error' | 'final' | 'shutdown'>;

function standingOf(state: KnownTask): Standing {
  switch (state.status) {
    case 'held':
      return { heldBy: state.heldBy };
    case 'undecided':
      return { error: state.error };
    case 'failed':
      return { error: state.error, ...(state.final && { final: true as const }) };
    case 'cancelled':
      return state.byShutdown ? { shutdown: true } : {};
    default:
      return {};
  }
}
