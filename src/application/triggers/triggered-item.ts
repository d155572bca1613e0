import type { IsoTime } from '../../domain/kernel/json.js';
import type { TriggeredTask } from '../../domain/trigger/trigger.events.js';
import type { EnqueueItem } from '../tasks/enqueue-item.js';

/** The task that a trigger makes. `at`: what it is made for: its occurrence, its event, or the poll of the queue. */
export const triggeredItem = ({ deadlineMs, ...task }: TriggeredTask, at: IsoTime): Omit<EnqueueItem, 'taskId'> => ({
  ...task,
  ...(deadlineMs !== undefined && { deadlineAt: new Date(Date.parse(at) + deadlineMs).toISOString() }),
});
