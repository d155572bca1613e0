import type { ReportedTask } from '../../domain/batch/batch.events.js';
import { fold } from '../../domain/kernel/decider.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskError, TaskEvent } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { EventReads, RecordedEvent } from '../kernel/event-store.port.js';

/** Why a task had failed when it was reported. */
export interface ReportedFailure {
  /** Null for a task without steps, or before its first one. */
  readonly step: string | null;
  readonly error: TaskError;
}

/** What a report says about a task, and its event does not. */
export interface TaskDetails {
  /** Its reference or, without one, its description; null if it has neither. */
  readonly name: string | null;
  /** Null unless it had failed. */
  readonly failure: ReportedFailure | null;
}

/** By the ids of the tasks. */
export type DetailsOfTasks = ReadonlyMap<string, TaskDetails>;

const MOST_CHARACTERS = 200;

/** Finds the details of reported tasks in their histories, as they were at the report. */
export async function reportedTasks(
  store: EventReads,
  tasks: readonly ReportedTask[],
  position: bigint,
): Promise<DetailsOfTasks> {
  const ids = [...new Set(tasks.map(({ task }) => task))];
  const details = new Map<string, TaskDetails>();
  for (let at = 0; at < ids.length;)
    for (const past of await store.readFirst(ids.slice(at).map(taskStream)))
      details.set(ids[at++]!, detailsIn(stateAt(past, position)));
  return details;
}

function stateAt(past: readonly RecordedEvent[], position: bigint): TaskState {
  const events = past.filter((recorded) => recorded.position <= position).map(({ event }) => event as TaskEvent);
  return fold(taskDecider, events);
}

function detailsIn(state: TaskState): TaskDetails {
  if (state.status === 'unknown') return { name: null, failure: null };
  const { reference, description } = state.task.submission;
  const name = (reference ?? description)?.slice(0, MOST_CHARACTERS) ?? null;
  if (state.status !== 'failed') return { name, failure: null };
  const { entered, nextStep } = state.task;
  return { name, failure: { step: entered ? nextStep : null, error: state.error } };
}
