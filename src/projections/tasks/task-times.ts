import type { TaskEvent } from '../../domain/task/task.events.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { taskRowChange } from '../kernel/rows/task-row-rules.js';

export interface TaskTimes {
  /** When the last event was recorded. */
  readonly updatedAt: string;
  /** When the task last left the state `running`; null if it has not yet. Unlike the end of the task, every run has one. */
  readonly endedAt: string | null;
}

/** The times that rows leave out, because a hot row would change more for them. */
export function timesOf(events: readonly Recorded<TaskEvent>[]): TaskTimes {
  let isRunning = false;
  let endedAt: string | null = null;
  for (const { event, recordedAt } of events) {
    const { state } = taskRowChange(event);
    if (state === null) continue;
    if (isRunning && state !== 'running') endedAt = recordedAt;
    isRunning = state === 'running';
  }
  return { updatedAt: events.at(-1)!.recordedAt, endedAt };
}
