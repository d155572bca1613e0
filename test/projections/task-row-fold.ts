import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import type { Submission } from '../../src/domain/task/task.events.js';
import { beginsWait, Writes, type TaskRowChange } from '../../src/projections/kernel/rows/task-row-change.js';

/** A row of `tasks` according to its contract. The oracle of every adapter that writes it. */
export interface FoldedRow extends Pick<
  TaskRowChange,
  | 'worker'
  | 'dueAt'
  | 'error'
  | 'errorClass'
  | 'lastStep'
  | 'startedAt'
  | 'step'
  | 'expiresAt'
  | 'deadlineAt'
  | 'missed'
  | 'runUntil'
  | 'payloadTerms'
> {
  readonly submission: Submission;
  readonly state: string;
  readonly attempt: number;
  readonly priority: number;
  readonly enqueuedAt: string;
  readonly finishedAt: string | null;
  readonly failedAt: string | null;
  /** Null if the task does not wait, or has waited since it was enqueued. */
  readonly waitingSince: string | null;
  /** Its place in line: the position of its first event. */
  readonly seq: bigint;
  readonly position: bigint;
  readonly revision: number;
}

type Place = Pick<RecordedEvent, 'position' | 'revision' | 'recordedAt'>;

export function applyRowChange(row: FoldedRow | undefined, change: TaskRowChange, place: Place): FoldedRow {
  const { position, revision, recordedAt } = place;
  const before = row ?? fresh(change, place);
  const has = (bit: number) => (change.writes & bit) !== 0;
  const state = change.state ?? before.state;
  return {
    ...before,
    position,
    revision,
    state,
    waitingSince: state === 'pending' ? waitingSince(before, change, recordedAt) : null,
    attempt: change.attempt ?? before.attempt,
    priority: change.priority ?? before.priority,
    startedAt: change.startedAt ?? before.startedAt,
    lastStep: change.lastStep ?? before.lastStep,
    step: has(Writes.step) ? change.step : before.step,
    worker: has(Writes.worker) ? change.worker : before.worker,
    dueAt: has(Writes.dueAt) ? change.dueAt : before.dueAt,
    expiresAt: has(Writes.expiresAt) ? change.expiresAt : before.expiresAt,
    deadlineAt: has(Writes.deadlineAt) ? change.deadlineAt : before.deadlineAt,
    missed: has(Writes.missed) ? change.missed : before.missed,
    runUntil: has(Writes.runUntil) ? change.runUntil : before.runUntil,
    error: has(Writes.error) ? change.error : before.error,
    payloadTerms: has(Writes.payloadTerms) ? change.payloadTerms : before.payloadTerms,
    errorClass: has(Writes.error) ? change.errorClass : before.errorClass,
    failedAt: has(Writes.failedAt) ? (change.failed ? recordedAt : null) : before.failedAt,
    finishedAt: has(Writes.finishedAt) ? (change.finished ? recordedAt : null) : before.finishedAt,
  };
}

function waitingSince(before: FoldedRow, change: TaskRowChange, recordedAt: string): string | null {
  if (!beginsWait(change)) return before.waitingSince;
  return change.created ? null : recordedAt;
}

function fresh({ created }: TaskRowChange, { recordedAt: enqueuedAt, position: seq }: Place): FoldedRow {
  const nothing = {
    worker: null,
    dueAt: null,
    error: null,
    errorClass: null,
    lastStep: null,
    startedAt: null,
    step: null,
    expiresAt: null,
    deadlineAt: null,
    missed: false,
    runUntil: null,
    payloadTerms: null,
  };
  const times = { enqueuedAt, finishedAt: null, failedAt: null, waitingSince: null };
  return {
    ...nothing,
    ...times,
    submission: created!,
    state: '',
    attempt: 0,
    priority: 0,
    seq,
    position: seq,
    revision: 0,
  };
}
