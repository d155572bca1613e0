import type { DomainEvent } from '../kernel/decider.js';
import { NO_DATA } from '../kernel/changed-data.js';
import { defined } from '../kernel/defined.js';
import { sameContent } from '../kernel/json.js';
import { ERASED, failureIn, GROUP_ID } from './failures.events.js';
import type { Submission, TaskError, TaskEvent } from './task.events.js';
import type { KnownTask, TaskFacts } from './task.state.js';

/** The group of an error, by the rules of the day. */
type GroupOf = (error: TaskError) => string;

/** What is left of a private half. */
interface Rest {
  readonly error: TaskError;
}

/** What a public half, or what is left of a private one, may say of an error. */
interface OfError {
  readonly error?: Partial<TaskError> | null;
}

/**
 * What is left of the private half of an event once it is erased; null if nothing is. An error keeps the group in which it
 * counts, so that groups that are made anew from the log are those in use.
 */
export function restOf(event: DomainEvent, groupOf: GroupOf): Rest | null {
  const { error } = event.data as { readonly error?: TaskError | string };
  if (typeof error !== 'object') return null;
  const named = failureIn(event as TaskEvent) === null ? {} : { group: groupOf(error) };
  return { error: { ...erasedError(error), ...named } };
}

/**
 * What readers take of what is left of an erased half, which no digest covers: the group of a failure alone. All else is as the
 * public half beside it says. Null if that has no error.
 */
export function restBeside(open: object, left: object | null): Rest | null {
  const { error } = open as OfError;
  if (error?.class === undefined) return null;
  const group = (left as OfError | null)?.error?.group;
  const named = typeof group === 'string' && GROUP_ID.test(group) ? { group } : {};
  return { error: { ...erasedError({ class: error.class }), ...named } };
}

/** Whether an erasure leaves this, or nothing, beside this public half. */
export const isRestOf = (open: object, left: object | null): boolean =>
  left === null || sameContent(left, restBeside(open, left));

const erasedError = ({ class: errorClass }: Pick<TaskError, 'class'>): TaskError => ({
  message: ERASED,
  class: errorClass,
});

/** Whether only the class of its error is left. */
export const hasErasedError = ({ data }: TaskEvent): boolean =>
  (data as { readonly error?: TaskError }).error?.message === ERASED;

/** Whether what the event changed or reported is erased, so that nobody can decide it again. */
export function isWithoutContents({ type, data }: TaskEvent): boolean {
  switch (type) {
    case 'TaskDataRecorded':
      return !('patch' in data);
    case 'TaskSignalled':
      return !('data' in data);
    case 'TaskPayloadAmended':
    case 'TaskSubmissionGathered':
      return !('payload' in data);
    case 'TaskErrorReported':
      return data.error.message === ERASED;
    default:
      return false;
  }
}

/** A task without what it was about, as its events tell once their private halves are erased. */
export function withoutContents<State extends KnownTask>(state: State): State {
  const { waits: _waits, ...facts } = state.task;
  const task: TaskFacts = {
    ...facts,
    submission: withoutPrivate(state.task.submission),
    payload: null,
    data: NO_DATA,
    reportedBytes: 0,
    erased: true,
  };
  return 'error' in state ? { ...state, task, error: erasedError(state.error) } : { ...state, task };
}

function withoutPrivate(submission: Submission): Submission {
  const { key: _key, reference: _reference, labels: _labels, description: _text, ...rest } = submission;
  const { data: _data, payload: _payload, rerunOf, ...shown } = rest;
  if (rerunOf === undefined) return shown;
  const { task, step, lastStep } = rerunOf;
  return { ...shown, rerunOf: { task, ...defined({ step, lastStep }) } };
}
