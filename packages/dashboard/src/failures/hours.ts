import type { FailureGroupView } from '@waybill/client';

type Hour = FailureGroupView['hours'][number];

const HOUR_MS = 3_600_000;

/** As many as show that nothing was before, and no hour is a block of the alarm's colour; with more, an incident of minutes is a line. */
export const LEAST_HOURS = 12;

/** The most that fit beside each other. */
export const MOST_HOURS = 168;

/** Every hour up to now, the oldest first, from the first in which it was seen; at least the last twelve. What is older than a week is left out. */
export function hoursUpTo(seen: readonly Hour[], nowMs: number): Hour[] {
  const last = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const byTime = new Map(seen.map((hour) => [Date.parse(hour.at), hour]));
  const count = Math.max(LEAST_HOURS, ...[...byTime.keys()].map((at) => (last - at) / HOUR_MS + 1));
  return Array.from({ length: Math.min(count, MOST_HOURS) }, (_, n) => last - n * HOUR_MS)
    .reverse()
    .map((at) => byTime.get(at) ?? { at: new Date(at).toISOString(), failedTasks: 0, failedAttempts: 0 });
}
