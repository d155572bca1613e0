import { accept, alreadyDone } from '../kernel/decider.js';
import { type IsoTime, sameContent } from '../kernel/json.js';
import type { TaskCommandOf } from './task.commands.js';
import type { TaskEvent, TaskEventOf } from './task.events.js';
import type { KnownTask, TaskFacts } from './task.state.js';
import { endOfLife, type WaitingLimits } from './waiting-limits.js';
import { type TaskDecision, illegal, type TaskRules } from './task.transitions.js';

export const AMENDMENT_RULES = {
  ReprioritiseTask: reprioritise,
  RescheduleTask: reschedule,
  AmendPayload: amendPayload,
} satisfies Partial<TaskRules>;

function reprioritise(command: TaskCommandOf<'ReprioritiseTask'>, state: KnownTask): TaskDecision {
  return amend(command, state, ({ submission: { queue }, priority: previous }) => {
    const { priority } = command;
    return priority === previous
      ? null
      : { type: 'TaskReprioritised', version: 1, data: { queue, priority, previous } };
  });
}

function reschedule(command: TaskCommandOf<'RescheduleTask'>, state: KnownTask): TaskDecision {
  return amend(command, state, ({ submission: { queue }, dueAt: previous }) => {
    const { dueAt } = command;
    return dueAt === previous ? null : { type: 'TaskRescheduled', version: 1, data: { queue, dueAt, previous } };
  });
}

function amendPayload(command: TaskCommandOf<'AmendPayload'>, state: KnownTask): TaskDecision {
  return amend(command, state, (task) => {
    const { payload } = command;
    const { submission, payload: previous } = task;
    const { searchPaths } = submission;
    const limits = newLimits(command, task);
    if (sameContent(payload, previous) && Object.keys(limits).length === 0) return null;
    return {
      type: 'TaskPayloadAmended',
      version: 1,
      data: { queue: submission.queue, payload, previous, ...limits, ...(searchPaths && { searchPaths }) },
    };
  });
}

/** Those that change. A time to live counts from the due time of the waiting task. */
export function newLimits(
  { limits = {}, now }: { readonly limits?: WaitingLimits; readonly now: IsoTime },
  { dueAt, expiresAt: end, deadlineAt: deadline }: TaskFacts,
): Pick<TaskEventOf<'TaskPayloadAmended'>['data'], 'expiresAt' | 'deadlineAt'> {
  const { ttlMs, deadlineAt = deadline } = limits;
  const expiresAt = limits.expiresAt ?? (ttlMs === undefined ? end : endOfLife(ttlMs, dueAt, now));
  return {
    ...(expiresAt !== null && expiresAt !== end && { expiresAt }),
    ...(deadlineAt !== null && deadlineAt !== deadline && { deadlineAt }),
  };
}

/**
 * The payload may change until the task runs, and again after a failure or cancellation. Returns null if the payload is
 * already as given.
 */
function amend(
  command: TaskCommandOf<'ReprioritiseTask' | 'RescheduleTask' | 'AmendPayload'>,
  state: KnownTask,
  change: (task: TaskFacts) => TaskEvent | null,
): TaskDecision {
  switch (state.status) {
    case 'prepared':
    case 'pending':
    case 'held':
    case 'undecided':
    case 'failed':
    case 'cancelled': {
      const event = change(state.task);
      return event === null ? alreadyDone : accept(event);
    }
    default:
      return illegal(command, state);
  }
}
