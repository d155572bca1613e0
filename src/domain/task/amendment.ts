import { accept, alreadyDone } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import type { TaskCommandOf } from './task.commands.js';
import type { TaskEvent } from './task.events.js';
import type { KnownTask, TaskFacts } from './task.state.js';
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
  return amend(command, state, ({ submission: { queue }, payload: previous }) => {
    const { payload } = command;
    return sameContent(payload, previous)
      ? null
      : { type: 'TaskPayloadAmended', version: 1, data: { queue, payload, previous } };
  });
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
