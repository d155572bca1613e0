import { isOpen, type TaskEvent, type TaskStatus } from '../../domain/task/task.events.js';
import { isRare } from './rare-states.js';
import { beginsWait, mergeTaskRowChanges, Writes, type TaskRowChange } from './task-row-change.js';
import { enters, holdIn, retries, takesPlace, taskRowChange } from './task-row-rules.js';

/** A row of `tasks`, its labels as JSON text. */
export interface TaskRow {
  readonly task_id: string;
  readonly queue: string;
  readonly state: string;
  readonly kind: string;
  readonly key: string | null;
  readonly reference: string | null;
  readonly priority: number;
  readonly labels: string | null;
  readonly description: string | null;
  readonly due_at: string | null;
  readonly expires_at: string | null;
  readonly deadline_at: string | null;
  readonly missed: boolean;
  readonly overdue: boolean;
  readonly run_until: string | null;
  readonly enqueued_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly failed_at: string | null;
  readonly waiting_since: string | null;
  readonly attempt: number;
  readonly worker: string | null;
  readonly last_step: string | null;
  readonly step: string | null;
  readonly entered: boolean;
  readonly retries: number;
  readonly error: string | null;
  readonly error_class: string | null;
  readonly seq: string;
  readonly position: string;
  readonly revision: number;
  readonly batch: string | null;
  readonly stopped: boolean;
  readonly hold: string | null;
  readonly rare_state: string | null;
  readonly place: string | null;
}

export interface LoggedTaskEvent {
  readonly position: string;
  readonly revision: number;
  readonly recordedAt: string;
  readonly event: TaskEvent;
}

/**
 * Builds a task's row from its whole history, identical to the one that the appends wrote. Null if the history is only
 * a fence, because the task was never stored.
 */
export function taskRow(taskId: string, history: readonly LoggedTaskEvent[]): TaskRow | null {
  const changes = history.map(({ event }) => taskRowChange(event));
  const change = changes.reduce(mergeTaskRowChanges);
  const first = history[changes.findIndex(({ created }) => created !== null)];
  if (!first) return null;
  const last = history[history.length - 1]!;
  const { queue, kind, key, reference, labels, description, batch, steps } = change.created!;
  return {
    task_id: taskId,
    queue,
    kind,
    key: key ?? null,
    reference: reference ?? null,
    labels: labels ? JSON.stringify(labels) : null,
    description: description ?? null,
    state: change.state!,
    priority: change.priority ?? 0,
    due_at: change.dueAt,
    expires_at: change.expiresAt,
    deadline_at: change.deadlineAt,
    missed: change.missed,
    overdue: change.missed && isOpen(change.state!),
    run_until: change.state === 'running' ? change.runUntil : null,
    enqueued_at: first.recordedAt,
    started_at: change.startedAt,
    finished_at: change.finished ? timeOfLast(history, changes, Writes.finishedAt) : null,
    waiting_since: waitingSince(change.state, history, changes),
    failed_at: change.failed ? timeOfLast(history, changes, Writes.failedAt) : null,
    attempt: change.attempt ?? 0,
    worker: change.worker,
    last_step: change.lastStep,
    step: change.step,
    retries: history.filter(({ event }) => retries(event)).length,
    entered: history.some(({ event }) => enters(event, steps !== undefined)),
    error: change.error,
    error_class: change.errorClass,
    seq: first.position,
    position: last.position,
    revision: last.revision,
    batch: batch ?? null,
    stopped: change.state === 'cancelled' && wasStopped(history),
    hold: change.state === 'held' ? holdIn(history.map(({ event }) => event)) : null,
    rare_state: isRare(change.state!) ? change.state : null,
    place: KEEP_PLACE.has(change.state!) ? placeOf(history) : null,
  };
}

/** The states in which a task has a place in line, or had one when it was claimed. */
const KEEP_PLACE: ReadonlySet<string> = new Set<TaskStatus>(['prepared', 'pending', 'held', 'running', 'succeeded']);

/** Null if the task has its first place. */
const placeOf = (history: readonly LoggedTaskEvent[]): string | null =>
  history.findLast(({ event }) => takesPlace(event))?.position ?? null;

/** Whether a shutdown cancelled the task, rather than a person. */
const wasStopped = (history: readonly LoggedTaskEvent[]): boolean => {
  const last = history.findLast(({ event }) => event.type === 'TaskCancelled')?.event;
  return last?.type === 'TaskCancelled' && last.data.shutdown === true;
};

/** Null if the task is not pending, or has waited since it was enqueued. */
function waitingSince(
  state: TaskRowChange['state'],
  history: readonly LoggedTaskEvent[],
  changes: readonly TaskRowChange[],
): string | null {
  const last = changes.findLastIndex(beginsWait);
  return state === 'pending' && changes[last]!.created === null ? history[last]!.recordedAt : null;
}

function timeOfLast(history: readonly LoggedTaskEvent[], changes: readonly TaskRowChange[], bit: number): string {
  return history[changes.findLastIndex(({ writes }) => (writes & bit) !== 0)]!.recordedAt;
}
