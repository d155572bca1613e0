import type { ErrorClass, TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type TaskRow, taskRow } from '../kernel/rows/task-row.js';

/** What of a task may differ between two moments. */
export interface ComparedTask {
  readonly state: TaskStatus;
  /** The step that it was in; null without one. */
  readonly step: string | null;
  /** Of the last error; null without one. */
  readonly errorClass: ErrorClass | null;
  readonly priority: number;
}

/** A task that is not what it was. */
export interface TaskChange {
  readonly task: string;
  readonly queue: string;
  readonly kind: string;
  readonly reference: string | null;
  readonly batch: string | null;
  /** Null if the task was not there. */
  readonly from: ComparedTask | null;
  readonly to: ComparedTask;
  /** When the last event before the second moment was recorded. */
  readonly at: string;
}

/** The positions of the two moments. */
export interface Between {
  readonly from: bigint;
  readonly to: bigint;
}

/** How a task's fold at one position differs from that at a later one; null if it does not. `history`: up to the later one at least. */
export function taskChange(
  id: string,
  history: readonly Recorded<TaskEvent>[],
  { from, to }: Between,
): TaskChange | null {
  const [before, after] = [rowAt(id, history, from), rowAt(id, history, to)];
  if (!after) return null;
  const { queue, kind, reference, batch } = after;
  const [was, is] = [before && comparedOf(before), comparedOf(after)];
  if (was && isSame(was, is)) return null;
  const { recordedAt: at } = history.findLast(({ position }) => position <= to)!;
  return { task: id, queue, kind, reference, batch, from: was, to: is, at };
}

/** Null if the task was not stored by then. */
function rowAt(id: string, history: readonly Recorded<TaskEvent>[], end: bigint): TaskRow | null {
  const events = history.filter(({ position }) => position <= end);
  if (events.length === 0) return null;
  return taskRow(
    id,
    events.map((recorded) => ({ ...recorded, position: String(recorded.position) })),
  );
}

const comparedOf = (row: TaskRow): ComparedTask => ({
  state: row.state as TaskStatus,
  step: row.step,
  errorClass: row.error_class as ErrorClass | null,
  priority: row.priority,
});

const isSame = (one: ComparedTask, other: ComparedTask): boolean =>
  (Object.keys(one) as (keyof ComparedTask)[]).every((member) => one[member] === other[member]);
