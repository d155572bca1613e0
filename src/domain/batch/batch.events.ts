import type { IsoTime } from '../kernel/json.js';
import { event, eventInPlace, type EventsOf } from '../kernel/event-declaration.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

/** Every status that a batch can have. */
export const BATCH_STATUSES = ['planning', 'running', 'completed', 'failed', 'aborted', 'deleted'] as const;

export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** How many tasks of a batch have ended, and how. A superseded task counts as succeeded. */
export interface BatchCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly aborted: number;
  readonly deleted: number;
}

export const BATCH_EVENTS = {
  BatchCreated: event<{
    readonly batch: string;
    readonly name: string;
    readonly description?: string;
    readonly labels?: Readonly<Record<string, string>>;
    /** By the database's clock. */
    readonly at: IsoTime;
  }>({ version: 1, effects: [] }),
  /** All tasks are there, and may run. */
  BatchOpened: event<{ readonly batch: string; readonly tasks: number }>({
    version: 1,
    effects: ['changes-schedule'],
  }),
  /** Every task has ended, and all but deleted ones succeeded. Or there were none. */
  BatchCompleted: event<{ readonly batch: string; readonly counts: BatchCounts; readonly at: IsoTime }>({
    version: 1,
    effects: ['changes-schedule'],
  }),
  /** Every task has ended, and some did not succeed. */
  BatchFailed: event<{ readonly batch: string; readonly counts: BatchCounts; readonly at: IsoTime }>({
    version: 1,
    effects: [],
  }),
  BatchAborted: event<{ readonly batch: string; readonly at: IsoTime }>({ version: 1, effects: ['changes-schedule'] }),
  BatchDeleted: event<{ readonly batch: string; readonly at: IsoTime }>({ version: 1, effects: ['changes-schedule'] }),
  /** A fence: takes the place of a reserved append that never arrived. It may be the first event of a stream. */
  BatchReservationAbandoned: eventInPlace<{ readonly reservation: string }>({
    version: 1,
    effects: ['fills-abandoned-place'],
  }),
};

export type BatchEvent = EventsOf<typeof BATCH_EVENTS>;
export type BatchEventOf<T extends BatchEvent['type']> = Extract<BatchEvent, { readonly type: T }>;
