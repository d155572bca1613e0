import type { TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type TaskRow, taskRow } from './task-row.js';
import type { TaskEntity } from './task.entity.js';
import { taskRowChange } from './task-row-rules.js';

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

/** The state after these events; null if there is no such task. */
export const stateOf = (events: readonly Recorded<TaskEvent>[]): TaskStatus | null =>
  events.reduce<TaskStatus | null>((state, { event }) => taskRowChange(event).state ?? state, null);

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The row as queries read it. */
export const entityOf = (row: TaskRow): TaskEntity => ({
  taskId: row.task_id,
  queue: row.queue,
  state: row.state,
  kind: row.kind,
  key: row.key,
  reference: row.reference,
  priority: row.priority,
  labels: row.labels === null ? null : (JSON.parse(row.labels) as Record<string, string>),
  description: row.description,
  dueAt: timeOf(row.due_at),
  expiresAt: timeOf(row.expires_at),
  deadlineAt: timeOf(row.deadline_at),
  missed: row.missed,
  overdue: row.overdue,
  runUntil: timeOf(row.run_until),
  enqueuedAt: new Date(row.enqueued_at),
  startedAt: timeOf(row.started_at),
  finishedAt: timeOf(row.finished_at),
  failedAt: timeOf(row.failed_at),
  attempt: row.attempt,
  worker: row.worker,
  lastStep: row.last_step,
  step: row.step,
  entered: row.entered,
  retries: row.retries,
  error: row.error,
  errorClass: row.error_class,
  seq: row.seq,
  position: row.position,
  revision: row.revision,
  batch: row.batch,
});
