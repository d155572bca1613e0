import type { AttendanceEvent } from '../../domain/attendance/attendance.events.js';
import type { Recorded } from '../kernel/event-log.port.js';

export interface AttendanceThen {
  readonly lastPolledAt: string | null;
  readonly unattended: boolean;
  /** Which of them the log does not tell. */
  readonly untold: readonly ('lastPolledAt' | 'unattended')[];
}

/** What the log said of a queue's workers after these events of its attendance. */
export function attendanceAfter(crossings: readonly Recorded[]): AttendanceThen {
  const event = crossings.at(-1)?.event as AttendanceEvent | undefined;
  if (event === undefined) return { lastPolledAt: null, unattended: false, untold: ['lastPolledAt', 'unattended'] };
  if (event.type === 'QueueAttended') return { lastPolledAt: null, unattended: false, untold: ['lastPolledAt'] };
  return { lastPolledAt: event.data.since, unattended: true, untold: [] };
}
