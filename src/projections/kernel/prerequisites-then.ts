import type { BatchEvent } from '../../domain/batch/batch.events.js';
import type { Prerequisite, TaskEvent } from '../../domain/task/task.events.js';
import type { Recorded } from './event-log.port.js';
import { batchRow } from './rows/batch-row.js';
import { eventsIn } from './stream-as-of.js';

const DONE: ReadonlySet<string> = new Set(['succeeded', 'superseded', 'completed', 'deleted']);

/** What a task waited for after these events, done or not. The later of several changes of one prerequisite counts. */
export function prerequisitesAfter(events: readonly Recorded<TaskEvent>[]): readonly Prerequisite[] {
  const after = new Map<string, Prerequisite>();
  for (const { event } of events) {
    if (event.type === 'TaskPrerequisitesChanged') for (const id of event.data.waived) after.delete(id);
    for (const one of addedIn(event)) after.set(idOf(one), one);
  }
  return [...after.values()];
}

export function addedIn(event: TaskEvent): readonly Prerequisite[] {
  if (event.type === 'TaskPrerequisitesChanged') return event.data.added;
  return 'after' in event.data ? event.data.after! : [];
}

/** The id of the task or batch. */
export const idOf = (one: Prerequisite): string => ('task' in one ? one.task : one.batch);

/** Whether a prerequisite in this state kept nothing waiting any more. */
export const isClosed = (one: Prerequisite, state: string): boolean =>
  DONE.has(state) || (one.ignore === true && state === 'aborted');

/** The name and the state of a batch after these events; null if there is none. */
export function batchAfter(history: readonly Recorded[]): { readonly name: string; readonly state: string } | null {
  const { name, state } = batchRow(eventsIn<BatchEvent>(history)) ?? {};
  return typeof name === 'string' && typeof state === 'string' ? { name, state } : null;
}
