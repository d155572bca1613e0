import type { TaskStatus } from '../task/task.events.js';

/** The states that tasks end in, from which only a person leads them away. */
export const ARCHIVABLE_STATES = [
  'succeeded',
  'failed',
  'cancelled',
  'aborted',
  'superseded',
  'deleted',
] as const satisfies readonly TaskStatus[];

export type ArchivableState = (typeof ARCHIVABLE_STATES)[number];

/**
 * How many days after their end tasks leave the lists for the archive, by the state in which they ended; null: they stay.
 */
export type Retention = Readonly<Record<ArchivableState, number | null>>;

export const KEEPS_ALL: Retention = {
  succeeded: null,
  failed: null,
  cancelled: null,
  aborted: null,
  superseded: null,
  deleted: null,
};
