import type { AttendanceEvent } from '../../domain/attendance/attendance.events.js';
import { PRESENT_MS } from '../kernel/attendance.js';
import type { Recorded } from '../kernel/event-log.port.js';
import type { Facts } from './why.js';

/** How far back it is known when a worker last asked. */
const KNOWN_MS = 24 * 3_600_000;

export interface WorkersThen {
  readonly workers: Facts['workers'];
  /** What the log does not tell of them. */
  readonly untold: readonly ('lastPolledAt' | 'unattended')[];
}

/** A time in which no worker asked for tasks of a queue, in milliseconds. */
export interface Absence {
  readonly from: number;
  readonly until: number;
  /** When one had last asked; null: not for a day. */
  readonly lastPolledAt: string | null;
}

type Crossing = Recorded<AttendanceEvent>;

/** What the log said of a queue's workers after these crossings: whether somebody asked, or since when nobody did. */
export function workersAfter(crossings: readonly Crossing[]): WorkersThen {
  const last = crossings.at(-1);
  if (last !== undefined && last.event.type === 'QueueAttended') return { workers: PRESENT, untold: ['lastPolledAt'] };
  const absence = last && absenceFrom(last, Infinity);
  if (!absence) return { workers: PRESENT, untold: ['lastPolledAt', 'unattended'] };
  return { workers: { lastPolledAt: absence.lastPolledAt, lacking: { step: null } }, untold: [] };
}

const PRESENT: Facts['workers'] = { lastPolledAt: null, lacking: null };

/** The times in which no worker asked, as far as they were recorded; the last may go on for ever. */
export const absencesIn = (crossings: readonly Crossing[]): readonly Absence[] =>
  crossings.flatMap((crossing, at) => {
    const next = crossings[at + 1];
    return absenceFrom(crossing, next ? Date.parse(next.recordedAt) : Infinity) ?? [];
  });

/** Null if somebody asked, perhaps for tasks at another step or of another kind only. */
function absenceFrom({ event, recordedAt }: Crossing, until: number): Absence | null {
  if (event.type === 'QueueAttended') return null;
  const { since } = event.data;
  const recorded = Date.parse(recordedAt);
  const from = since === null ? recorded - KNOWN_MS : Date.parse(since);
  return recorded - from < PRESENT_MS ? null : { from, until, lastPolledAt: since };
}
