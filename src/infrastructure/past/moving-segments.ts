import type { RecordedEvent, ShownEvent } from '../../application/kernel/event-store.port.js';
import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { TaskEventType } from '../../domain/task/task.events.js';
import { mayMove } from '../../projections/kernel/state-move.js';

/** It moves no count, because the failed attempt before it did. */
const AFTER_FAILURE: TaskEventType = 'TaskRetryScheduled';

/** Whether events of the type may change the state of a task. */
export const movesTasks = (type: string): boolean => mayMove(type) || type === AFTER_FAILURE;

/** Without those that are damaged. */
export function readableIn(segment: LogSegment): readonly Pick<RecordedEvent, 'position' | 'stream' | 'event'>[] {
  try {
    return segment.events();
  } catch {
    return segment.shown().filter((event): event is ShownEvent & { unreadable: undefined } => !event.unreadable);
  }
}
