import type { RecordedEvent } from '../../application/kernel/event-store.port.js';
import { sameContent } from '../../domain/kernel/json.js';
import { publicHalf } from '../../domain/public-half.js';
import { restOf } from '../../domain/task/erased-half.js';
import type { TaskError, TaskEvent } from '../../domain/task/task.events.js';
import { CONTENT_COLUMNS, type TaskRow, taskRow } from '../../projections/kernel/rows/task-row.js';

/** An event with a private half, and what is left of that: JSON text, or nothing. */
export interface ErasedHalf {
  /** The id of the event. */
  readonly id: string;
  readonly position: string;
  readonly rest: string;
}

/** What the row of a task has of its contents once they are erased. */
export type ErasedRow = Pick<TaskRow, 'task_id' | (typeof CONTENT_COLUMNS)[number]>;

export interface ErasedTask {
  readonly halves: readonly ErasedHalf[];
  /** All its events, as they are then. */
  readonly history: readonly RecordedEvent<TaskEvent>[];
  /** The event that records it; null before there is one. */
  readonly recorded: { readonly id: string; readonly position: string } | null;
  /** Of all its events. */
  readonly positions: readonly string[];
  readonly row: ErasedRow;
}

/** What a task with this history becomes. Its row is made of the events that are left, as a rebuild makes it. */
export function erasedTask(
  task: string,
  history: readonly RecordedEvent[],
  groupOf: (error: TaskError) => string,
): ErasedTask {
  const left = history.map((recorded) => ({ recorded, ...leftOf(recorded.event as TaskEvent, groupOf) }));
  const hidden = left.filter(({ recorded, open }) => !sameContent(recorded.event.data, open));
  const row = taskRow(
    task,
    left.map(({ recorded, event }) => ({ ...recorded, position: String(recorded.position), event })),
  )!;
  return {
    halves: hidden.map(({ recorded, rest }) => ({ id: recorded.id, position: String(recorded.position), rest })),
    history: left.map(({ recorded, event }) => ({ ...recorded, event })),
    recorded: recordedIn(task, history),
    positions: history.map(({ position }) => String(position)),
    row: contentsOf(row),
  };
}

function recordedIn(id: string, history: readonly RecordedEvent[]): ErasedTask['recorded'] {
  const found = history.find(({ event }) => event.type === 'TaskErased');
  return found ? { id, position: String(found.position) } : null;
}

const contentsOf = (row: TaskRow): ErasedRow =>
  Object.fromEntries((['task_id', ...CONTENT_COLUMNS] as const).map((column) => [column, row[column]])) as ErasedRow;

function leftOf(event: TaskEvent, groupOf: (error: TaskError) => string) {
  const rest = restOf(event, groupOf);
  const open = publicHalf(event).data;
  return {
    open,
    rest: rest === null ? '' : JSON.stringify(rest),
    event: { ...event, data: { ...open, ...rest } } as TaskEvent,
  };
}
