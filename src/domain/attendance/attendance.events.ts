import { event, type EventsOf } from '../kernel/event-declaration.js';
import type { IsoTime } from '../kernel/json.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

export const ATTENDANCE_EVENTS = {
  /** Tasks of the queue have waited for a minute, and no worker that could run them has asked for a minute. */
  QueueUnattended: event<{
    readonly queue: string;
    /** When a worker last asked for tasks of the queue, as far as that is known; null: none has for a day. */
    readonly since: IsoTime | null;
  }>({ version: 1, effects: [] }),
  /** A worker asks for tasks of the queue again. */
  QueueAttended: event<{ readonly queue: string; readonly worker: string }>({ version: 1, effects: [] }),
};

export type AttendanceEvent = EventsOf<typeof ATTENDANCE_EVENTS>;
