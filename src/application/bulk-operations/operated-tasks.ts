import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { EventReads } from '../kernel/event-store.port.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';

/** The states of tasks, from their streams: the index may be behind. */
export const statusesOf = async (events: EventReads, tasks: readonly string[]): Promise<readonly TaskStatus[]> =>
  (await statesOf(events, tasks)).map(({ status }) => status as TaskStatus);

/** Whether the task runs under this fencing token, and nobody has asked it to stop. */
export async function runsOn(events: EventReads, task: string, token: string): Promise<boolean> {
  const [state] = await statesOf(events, [task]);
  return state!.status === 'running' && state!.lease.token === token && state!.cancelRequest === null;
}

const statesOf = async (events: EventReads, tasks: readonly string[]): Promise<readonly TaskState[]> =>
  (await events.readStreams(tasks.map(taskStream))).map(stateAfter);

const stateAfter = (history: readonly RecordedEvent[]): TaskState =>
  history.reduce((state, { event }) => taskDecider.evolve(state, event as TaskEvent), taskDecider.initialState);
