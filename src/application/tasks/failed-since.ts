import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';

/** The position of the event since which the task is failed or undecided; null if it is neither. */
export function failedSince(history: readonly RecordedEvent[]): bigint | null {
  let state = taskDecider.initialState;
  let since: bigint | null = null;
  for (const { event, position } of history) {
    state = taskDecider.evolve(state, event as TaskEvent);
    since = isFailed(state) ? (since ?? position) : null;
  }
  return since;
}

const isFailed = ({ status }: TaskState): boolean => status === 'failed' || status === 'undecided';
