import { isOpen, type TaskEvent, type TaskStatus } from '../../../domain/task/task.events.js';
import { isRare } from '../rare-states.js';
import { beginsWait, mergeTaskRowChanges, Writes, type TaskRowChange } from './task-row-change.js';
import { holdIn, placeIn, retries, taskRowChange, wasEntered, wasStopped } from './task-row-rules.js';

/**
 * The columns of `tasks` that follow from a task's events: the type of each in Postgres, with `?` if it may be null. These are set by the
 * first event.
 */
const FIXED_COLUMNS = {
  task_id: 'uuid',
  queue: 'text',
  kind: 'text',
  key: 'text?',
  reference: 'text?',
  labels: 'jsonb?',
  description: 'text?',
  needs: 'jsonb?',
  enqueued_at: 'timestamptz',
  seq: 'int8',
  batch: 'uuid?',
} as const;

/** These may change with any event. A `bool` is false in a new task. */
export const CHANGING_COLUMNS = {
  state: 'text',
  priority: 'int4',
  due_at: 'timestamptz?',
  expires_at: 'timestamptz?',
  deadline_at: 'timestamptz?',
  missed: 'bool',
  overdue: 'bool',
  run_until: 'timestamptz?',
  started_at: 'timestamptz?',
  finished_at: 'timestamptz?',
  failed_at: 'timestamptz?',
  waiting_since: 'timestamptz?',
  attempt: 'int4',
  worker: 'text?',
  last_step: 'text?',
  step: 'text?',
  entered: 'bool',
  retries: 'int4',
  error: 'text?',
  error_class: 'text?',
  position: 'int8',
  revision: 'int4',
  stopped: 'bool',
  hold: 'text?',
  rare_state: 'text?',
  place: 'int8?',
  payload_terms: 'jsonb?',
  waits_for: 'text?',
} as const;

export const TASK_COLUMNS = { ...FIXED_COLUMNS, ...CHANGING_COLUMNS };

/** What a task does not have any more once it has succeeded. */
export const AFTER_SUCCESS = {
  failed_at: null,
  error: null,
  error_class: null,
  run_until: null,
  overdue: false,
} satisfies Partial<TaskRow>;

/** Those that say what a task was about. An erasure writes them as they follow from what is left of its events. */
export const CONTENT_COLUMNS = ['key', 'reference', 'labels', 'description', 'error', 'payload_terms'] as const;

type ColumnType = (typeof TASK_COLUMNS)[keyof typeof TASK_COLUMNS];

type ValueOf<T extends ColumnType> = T extends `${string}?` ? BaseOf<T> | null : BaseOf<T>;
type BaseOf<T extends ColumnType> = T extends 'int4' ? number : T extends 'bool' ? boolean : string;

/** A row of `tasks`, its labels and terms as JSON text. */
export type TaskRow = { readonly [C in keyof typeof TASK_COLUMNS]: ValueOf<(typeof TASK_COLUMNS)[C]> };

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
  const events = history.map(({ event }) => event);
  const changes = events.map(taskRowChange);
  const change = changes.reduce(mergeTaskRowChanges);
  const first = history[changes.findIndex(({ created }) => created !== null)];
  if (!first) return null;
  const last = history[history.length - 1]!;
  const { queue, kind, key, reference, labels, description, needs, batch, steps } = change.created!;
  return {
    task_id: taskId,
    queue,
    kind,
    key: key ?? null,
    reference: reference ?? null,
    labels: labels ? JSON.stringify(labels) : null,
    description: description ?? null,
    needs: needs ? JSON.stringify(needs) : null,
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
    entered: wasEntered(events, steps !== undefined),
    error: change.error,
    error_class: change.errorClass,
    seq: first.position,
    position: last.position,
    revision: last.revision,
    batch: batch ?? null,
    stopped: change.state === 'cancelled' && wasStopped(events),
    hold: change.state === 'held' ? holdIn(events) : null,
    rare_state: isRare(change.state!) ? change.state : null,
    place: KEEP_PLACE.has(change.state!) ? placeIn(history) : null,
    payload_terms: change.payloadTerms && JSON.stringify(change.payloadTerms),
    waits_for: change.waitsFor,
  };
}

/** The states in which a task has a place in line, or had one when it was claimed. */
const KEEP_PLACE: ReadonlySet<string> = new Set<TaskStatus>(['prepared', 'pending', 'held', 'running', 'succeeded']);

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
