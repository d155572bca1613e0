import type { KnownTask } from './task.state.js';
import type { TaskCommand } from './task.commands.js';
import type { TaskEvent } from './task.events.js';
import type { TaskRejection } from './task.rejections.js';

/** A history is read as a whole for every decision, so what may be repeated without end must have one. */
export const MOST_EVENTS = 1_000;
export const MOST_REPORTED_BYTES = 4 * 1024 * 1024;

/** Why a report that the rules accept is refused all the same. The end of an attempt is always accepted. */
export function overBounds(
  command: TaskCommand,
  { task: { reportedBytes } }: KnownTask,
  events: readonly TaskEvent[],
): TaskRejection | null {
  const bounds = 'bounds' in command ? command.bounds : undefined;
  if (bounds === undefined) return null;
  if (bounds.excess) return { code: 'PAYLOAD_TOO_LARGE', ...bounds.excess };
  const isFull = bounds.events >= MOST_EVENTS || reportedBytes >= MOST_REPORTED_BYTES;
  if (!isFull || !isRepeatable(events)) return null;
  return { code: 'HISTORY_FULL', events: bounds.events, bytes: reportedBytes };
}

const isRepeatable = (events: readonly TaskEvent[]): boolean =>
  REPEATABLE.includes(events[0]!.type) && !events.some(({ type }) => type === 'TaskSucceeded');

const REPEATABLE: readonly TaskEvent['type'][] = [
  'TaskErrorReported',
  'TaskReturned',
  'TaskWaited',
  'TaskWaitEnded',
  'TaskStepCompleted',
  'TaskDataRecorded',
];

/** The size of a reported error or result in the history. */
export const reportedSize = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length);
