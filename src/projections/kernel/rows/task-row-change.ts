import type { IsoTime } from '../../../domain/kernel/json.js';
import type { PayloadTerms } from '../../../domain/search/payload-terms.js';
import type { ErrorClass, Submission, TaskStatus } from '../../../domain/task/task.events.js';

/** For what the handler of a task waits: somebody's signal, or only a time. */
export type WaitsFor = 'signal' | 'time';

/**
 * What one event does to its task's row. `position` and `revision` are always written. `state`, `attempt`, `priority`,
 * `startedAt` and `lastStep` are written unless null. The columns after `writes` are written only if `writes` has their
 * bit.
 */
export interface TaskRowChange {
  /** The task as submitted, if the event creates the row. `enqueued_at` is the recorded time. */
  readonly created: Submission | null;
  readonly state: TaskStatus | null;
  readonly attempt: number | null;
  readonly priority: number | null;
  readonly startedAt: IsoTime | null;
  readonly lastStep: string | null;
  /** The sum of the `Writes` bits whose columns this change sets, possibly to null. */
  readonly writes: number;
  readonly worker: string | null;
  /** The next step; null after the last one. */
  readonly step: string | null;
  readonly dueAt: IsoTime | null;
  readonly expiresAt: IsoTime | null;
  readonly deadlineAt: IsoTime | null;
  readonly runUntil: IsoTime | null;
  readonly missed: boolean;
  readonly error: string | null;
  readonly errorClass: ErrorClass | null;
  readonly payloadTerms: PayloadTerms | null;
  /** For what its handler waits until the due time; null if for nothing. */
  readonly waitsFor: WaitsFor | null;
  /** `failed_at` becomes the recorded time, or null. */
  readonly failed: boolean;
  /** `finished_at` becomes the recorded time, or null. */
  readonly finished: boolean;
}

/** Bits instead of optional fields, so that a batch of changes can be passed to SQL as arrays of plain values. */
export const Writes = {
  worker: 1,
  dueAt: 2,
  /** `error` and `error_class`. */
  error: 4,
  failedAt: 8,
  finishedAt: 16,
  step: 32,
  expiresAt: 64,
  deadlineAt: 128,
  runUntil: 256,
  missed: 512,
  payloadTerms: 1_024,
  waitsFor: 2_048,
} as const;

/** Writes nothing but position and revision. */
export const UNCHANGED: TaskRowChange = {
  created: null,
  state: null,
  attempt: null,
  priority: null,
  startedAt: null,
  lastStep: null,
  writes: 0,
  worker: null,
  step: null,
  dueAt: null,
  expiresAt: null,
  deadlineAt: null,
  runUntil: null,
  missed: false,
  error: null,
  errorClass: null,
  payloadTerms: null,
  waitsFor: null,
  failed: false,
  finished: false,
};

/**
 * Whether a task that is pending after this change has waited only since then. Its priority or payload may change while
 * it waits; its state and due time may not.
 */
export const beginsWait = ({ state, writes }: TaskRowChange): boolean =>
  state !== null || (writes & Writes.dueAt) !== 0;

/** Merges the changes of two events of one task into one, for events of the same statement. */
export function mergeTaskRowChanges(earlier: TaskRowChange, later: TaskRowChange): TaskRowChange {
  const of = (bit: number) => ((later.writes & bit) === 0 ? earlier : later);
  return {
    created: later.created ?? earlier.created,
    state: later.state ?? earlier.state,
    attempt: later.attempt ?? earlier.attempt,
    priority: later.priority ?? earlier.priority,
    startedAt: later.startedAt ?? earlier.startedAt,
    lastStep: later.lastStep ?? earlier.lastStep,
    writes: earlier.writes | later.writes,
    worker: of(Writes.worker).worker,
    step: of(Writes.step).step,
    dueAt: of(Writes.dueAt).dueAt,
    expiresAt: of(Writes.expiresAt).expiresAt,
    deadlineAt: of(Writes.deadlineAt).deadlineAt,
    runUntil: of(Writes.runUntil).runUntil,
    missed: of(Writes.missed).missed,
    error: of(Writes.error).error,
    errorClass: of(Writes.error).errorClass,
    payloadTerms: of(Writes.payloadTerms).payloadTerms,
    waitsFor: of(Writes.waitsFor).waitsFor,
    failed: of(Writes.failedAt).failed,
    finished: of(Writes.finishedAt).finished,
  };
}

export const writes = (change: TaskRowChange, bit: number): boolean => (change.writes & bit) !== 0;

/** The columns of `tasks` that the change writes, by their names. JSON is not text yet. */
export function columnsOf(change: TaskRowChange) {
  const has = (bit: number): boolean => writes(change, bit);
  return {
    ...(change.state !== null && { state: change.state }),
    ...(change.attempt !== null && { attempt: change.attempt }),
    ...(change.priority !== null && { priority: change.priority }),
    ...(change.startedAt !== null && { started_at: change.startedAt }),
    ...(change.lastStep !== null && { last_step: change.lastStep }),
    ...(has(Writes.worker) && { worker: change.worker }),
    ...(has(Writes.step) && { step: change.step }),
    ...(has(Writes.dueAt) && { due_at: change.dueAt }),
    ...(has(Writes.expiresAt) && { expires_at: change.expiresAt }),
    ...(has(Writes.deadlineAt) && { deadline_at: change.deadlineAt }),
    ...(has(Writes.runUntil) && { run_until: change.runUntil }),
    ...(has(Writes.missed) && { missed: change.missed }),
    ...(has(Writes.error) && { error: change.error, error_class: change.errorClass }),
    ...(has(Writes.payloadTerms) && { payload_terms: change.payloadTerms }),
    ...(has(Writes.waitsFor) && { waits_for: change.waitsFor }),
  };
}

export type ChangedColumns = ReturnType<typeof columnsOf>;
