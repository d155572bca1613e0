import { taskDecider } from '../../domain/task/task.decider.js';
import { isOpen, type TaskEvent } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { Refused } from '../kernel/application-error.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import { OPERATIONS_QUEUE } from './bulk-operation.js';
import type { Ordered } from './undo-order.js';

export interface EndedOperation {
  readonly order: Ordered;
  /** When it ended last. */
  readonly endedAt: string;
}

/** The operation with this history. Throws `Refused` if there is none, or if it is under way. */
export function endedOperation(history: readonly RecordedEvent[]): EndedOperation {
  let state: TaskState = taskDecider.initialState;
  let endedAt = '';
  for (const { event, recordedAt } of history) {
    const before = state.status;
    state = taskDecider.evolve(state, event as TaskEvent);
    if (isUnder(before) && !isUnder(state.status)) endedAt = recordedAt;
  }
  if (state.status === 'unknown' || state.status === 'deleted' || state.task.submission.queue !== OPERATIONS_QUEUE)
    throw new Refused({ code: 'TASK_NOT_FOUND' });
  if (isOpen(state.status)) throw new Refused({ code: 'OPERATION_UNDER_WAY', state: state.status });
  if (state.task.erased) throw new Refused({ code: 'TASK_ERASED' });
  return { order: state.task.payload as unknown as Ordered, endedAt };
}

const isUnder = (status: TaskState['status']): boolean => status === 'unknown' || isOpen(status);
