import type { ReportedTask } from '../../domain/batch/batch.events.js';
import { fold } from '../../domain/kernel/decider.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskError, TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { EventReads, RecordedEvent } from '../kernel/event-store.port.js';

/** Why a task had failed when it was reported. */
export interface ReportedFailure {
  /** Null for a task without steps, or before its first one. */
  readonly step: string | null;
  readonly error: TaskError;
}

/** By the ids of the tasks. */
export type ReportedFailures = ReadonlyMap<string, ReportedFailure>;

/** Finds the failures of reported tasks in their histories, as they were at the report. */
export async function reportedFailures(
  store: EventReads,
  tasks: readonly ReportedTask[],
  position: bigint,
): Promise<ReportedFailures> {
  const failed = tasks.filter(({ state }) => state === 'failed').map(({ task }) => task);
  const failures = new Map<string, ReportedFailure>();
  for (let at = 0; at < failed.length;)
    for (const past of await store.readFirst(failed.slice(at).map(taskStream))) {
      const failure = failureAt(past, position);
      if (failure !== null) failures.set(failed[at]!, failure);
      at++;
    }
  return failures;
}

function failureAt(past: readonly RecordedEvent[], position: bigint): ReportedFailure | null {
  const events = past.filter((recorded) => recorded.position <= position).map(({ event }) => event as TaskEvent);
  const state = fold(taskDecider, events);
  if (state.status !== 'failed') return null;
  const { entered, nextStep } = state.task;
  return { step: entered ? nextStep : null, error: state.error };
}
