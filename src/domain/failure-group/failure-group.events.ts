import { event, type EventsOf } from '../kernel/event-declaration.js';
import type { IsoTime } from '../kernel/json.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

/** Open until somebody says otherwise, or once it came back. */
export const FAILURE_GROUP_STATUSES = ['open', 'resolved', 'ignored'] as const;
export type FailureGroupStatus = (typeof FAILURE_GROUP_STATUSES)[number];

/** Who has said something of a group, when, and why. */
export interface Said {
  readonly group: string;
  readonly by: string;
  readonly reason?: string;
  readonly at: IsoTime;
}

export const FAILURE_GROUP_EVENTS = {
  /** A person says that the cause is gone, and what repaired it. Recorded again if that is corrected. */
  FailureGroupResolved: event<
    Said & {
      /** The build that repaired it. Attempts of earlier builds may still fail. */
      readonly build?: string;
      /** The id of the operation that repaired it. */
      readonly operation?: string;
    }
  >({ version: 1, effects: [], command: 'single' }),
  /** Its failures need nobody. They are still counted. */
  FailureGroupIgnored: event<Said>({ version: 1, effects: [], command: 'single' }),
  FailureGroupReopened: event<Said>({ version: 1, effects: [], command: 'single' }),
  /** A task failed like this although the group was resolved, so the group is open again. */
  FailureGroupReturned: event<{
    readonly group: string;
    readonly queue: string;
    readonly task: string;
    /** When the group was resolved. */
    readonly resolvedAt: IsoTime;
  }>({ version: 1, effects: [] }),
};

export type FailureGroupEvent = EventsOf<typeof FAILURE_GROUP_EVENTS>;
