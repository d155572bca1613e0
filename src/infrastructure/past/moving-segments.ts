import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { TaskEvent, TaskEventType } from '../../domain/task/task.events.js';
import { mayMove } from '../../projections/kernel/state-move.js';

/** It moves no count, because the failed attempt before it did. */
const AFTER_FAILURE: TaskEventType = 'TaskRetryScheduled';

/** Whether events of the type may change the state of a task. */
export const movesTasks = (type: string): boolean => mayMove(type) || type === AFTER_FAILURE;

/** Gives each event with its stream and its place in the segment to `see`, without those that are damaged. */
export function eachReadable(segment: LogSegment, see: (event: TaskEvent, stream: string, at: number) => void): void {
  const { streams } = segment;
  for (const [at, event] of readableIn(segment).entries()) if (event !== null) see(event, streams[at]!, at);
}

/** Makes no more than their data of most segments: a fold of a long log needs nothing else. */
function readableIn(segment: LogSegment): readonly (TaskEvent | null)[] {
  const { type, version } = segment;
  try {
    return segment.data.map((data) => ({ type, version, data }) as unknown as TaskEvent);
  } catch {
    return segment.shown().map((shown) => (shown.unreadable ? null : (shown.event as TaskEvent)));
  }
}
