import { fold } from '../../domain/kernel/decider.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import { CHANGE_NOTHING, type TaskEvent, type TaskEventType } from '../../domain/task/task.events.js';
import type { Before, KnownTask, TaskState } from '../../domain/task/task.state.js';
import { placeIn, wasEntered } from '../../domain/task/turns.events.js';
import type { Rejection } from '../kernel/application-error.js';
import type { Recalled, Recollection } from '../kernel/event-store.port.js';
import type { Loaded } from '../kernel/stream-command.js';

/** What an operation has left of a task. */
export type LeftBehind =
  /** Its events are the last ones, before which the task was like this. `now`: with them. */
  | { readonly kind: 'last'; readonly before: Before; readonly now: Loaded<TaskState> }
  /** It is undone already. */
  | { readonly kind: 'undone' }
  /** It changed nothing. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'changed'; readonly rejection: Rejection };

/** Looks at the whole history of a task; null if only its stream says what has changed it since. `undo`: the id under which the operation is undone. */
export function leftBehind(history: Recollection, operation: string, undo: string): LeftBehind | null {
  const events = history.events.filter(changesTask);
  const last = events.findLastIndex(isOf(operation));
  if (last < 0) return { kind: 'nothing' };
  if (events.some(isOf(undo))) return { kind: 'undone' };
  if (last < events.length - 1) return changedBy(events[last + 1]!);
  const first = events.findLastIndex((recalled) => !isOf(operation)(recalled)) + 1;
  const before = after(events.slice(0, first));
  return { kind: 'last', before, now: loaded(before, events.slice(first), history) };
}

function loaded(
  { state }: Before,
  since: readonly Recalled[],
  { revision, position }: Recollection,
): Loaded<TaskState> {
  const events = since.map(({ event }) => event as TaskEvent);
  return { state: fold(taskDecider, events, state), revision, position, fresh: false };
}

const isOf =
  (operation: string) =>
  ({ correlationId }: Recalled): boolean =>
    correlationId === operation;

const changesTask = ({ event }: Recalled): boolean => !CHANGE_NOTHING.includes(event.type as TaskEventType);

function changedBy({ event, position }: Recalled): LeftBehind | null {
  if (position === null) return null;
  const rejection = { code: 'CHANGED_SINCE_OPERATION', event: event.type, position: String(position) } as const;
  return { kind: 'changed', rejection };
}

function after(history: readonly Recalled[]): Before {
  const events = history.map(({ event }) => event as TaskEvent);
  const state = fold(taskDecider, events) as KnownTask;
  const place = placeIn(history.map((one) => ({ event: one.event as TaskEvent, position: String(one.position) })));
  return { state, entered: wasEntered(events, state.task.submission.steps !== undefined), place };
}
