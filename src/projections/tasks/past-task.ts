import type { TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, NotThereThen, type Past } from '../kernel/past.port.js';
import { streamAsOf } from '../kernel/stream-as-of.js';
import { TASK_COLUMNS, type TaskRow, taskRow } from '../kernel/rows/task-row.js';
import type { TaskEntity } from './task.entity.js';
import { taskRowChange } from '../kernel/rows/task-row-rules.js';

/** A task as of a position: its row is the fold of its events up to there. */
export interface PastTask {
  readonly row: TaskRow;
  readonly events: readonly Recorded<TaskEvent>[];
}

/** Null if the task was not stored by then. */
export function pastTask(id: string, events: readonly Recorded<TaskEvent>[]): PastTask | null {
  if (events.length === 0) return null;
  const row = taskRow(
    id,
    events.map((recorded) => ({ ...recorded, position: String(recorded.position) })),
  );
  return row && { row, events };
}

/** Throws `NotThereThen`. */
export async function taskAsOf(past: Past, id: string, moment: Moment): Promise<PastTask> {
  const events = await streamAsOf(past, taskStream(id), moment);
  const task = pastTask(id, events as readonly Recorded<TaskEvent>[]);
  if (task === null) throw new NotThereThen(null);
  return task;
}

/** The state after these events; null if there is no such task. */
export const stateOf = (events: readonly Recorded<TaskEvent>[]): TaskStatus | null =>
  events.reduce<TaskStatus | null>((state, { event }) => taskRowChange(event).state ?? state, null);

type Camel<S> = S extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : S;

/** A row as `TaskEntity` has it: its names in camel case, its times as dates, and its labels parsed. */
type Entity = {
  readonly [C in keyof TaskRow as Camel<C>]: (typeof TASK_COLUMNS)[C] extends 'timestamptz'
    ? Date
    : (typeof TASK_COLUMNS)[C] extends 'timestamptz?'
      ? Date | null
      : (typeof TASK_COLUMNS)[C] extends 'jsonb?'
        ? Record<string, string> | null
        : TaskRow[C];
};

const PROPERTIES = Object.entries(TASK_COLUMNS).map(([column, type]) => ({
  column: column as keyof TaskRow,
  name: column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  type: type.replace('?', ''),
}));

function valueOf(type: string, value: TaskRow[keyof TaskRow]): unknown {
  if (value === null) return null;
  if (type === 'timestamptz') return new Date(value as string);
  return type === 'jsonb' ? JSON.parse(value as string) : value;
}

/** The row as queries read it. */
export const entityOf = (row: TaskRow): TaskEntity =>
  Object.fromEntries(PROPERTIES.map(({ column, name, type }) => [name, valueOf(type, row[column])])) as Entity;
