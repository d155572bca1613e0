import type { FailureGroupView } from '@waybill/client';

type Hour = FailureGroupView['hours'][number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** As many as show that nothing was before, and no hour is a block of the alarm's colour. */
export const LEAST_HOURS = 12;

/** The most that fit beside each other. */
export const MOST_HOURS = 168;

/** How often a group was seen, by intervals of a length. */
export interface Course {
  readonly minutes: number;
  readonly bars: readonly Hour[];
  /** When the last bar ends; null if that is now. */
  readonly endsAt: string | null;
}

/** By the minute what was seen for minutes, so that it is more than one bar; by the hour, up to now, what was seen for longer. */
export function courseOf({ hours, minutes }: Pick<FailureGroupView, 'hours' | 'minutes'>, nowMs: number): Course {
  if (minutes === null || minutes.length === 0) return { minutes: 60, bars: hoursUpTo(hours, nowMs), endsAt: null };
  return around(minutes, nowMs);
}

/** Every hour up to now, the oldest first, from the first in which it was seen; at least the last twelve. What is older than a week is left out. */
export function hoursUpTo(seen: readonly Hour[], nowMs: number): Hour[] {
  const last = Math.floor(nowMs / HOUR_MS);
  const first = Math.min(last - LEAST_HOURS + 1, ...seen.map(({ at }) => Date.parse(at) / HOUR_MS));
  return barsOf(seen, HOUR_MS, Math.max(first, last - MOST_HOURS + 1), last);
}

/** Lengths of the bars of minutes, of which the first is taken with which they are few enough. */
const STEPS = [1, 2, 5];
const MOST_BARS = 60;
const LEAST_BARS = 30;
/** So many show what was before and after. */
const BESIDE = 3;

function around(seen: readonly Hour[], nowMs: number): Course {
  const times = seen.map(({ at }) => Date.parse(at));
  const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
  const minutes = STEPS.find((step) => (lastMs - firstMs) / MINUTE_MS < step * MOST_BARS) ?? STEPS.at(-1)!;
  const length = minutes * MINUTE_MS;
  const [first, last, now] = [firstMs, lastMs, nowMs].map((ms) => Math.floor(ms / length)) as [number, number, number];
  const end = Math.max(last, Math.min(now, Math.max(last, first + LEAST_BARS - 2 * BESIDE - 1) + BESIDE));
  const begin = Math.min(first - BESIDE, end - LEAST_BARS + 1);
  const endsAt = end >= now ? null : new Date((end + 1) * length).toISOString();
  return { minutes, bars: barsOf(seen, length, begin, end), endsAt };
}

/** From one interval to another, both counted in their length, the sums of what was seen in each. */
function barsOf(seen: readonly Hour[], length: number, first: number, last: number): Hour[] {
  const sums = new Map<number, Hour>();
  for (const one of seen) {
    const at = Math.floor(Date.parse(one.at) / length);
    const before = sums.get(at);
    const failedTasks = one.failedTasks + (before?.failedTasks ?? 0);
    const failedAttempts = one.failedAttempts + (before?.failedAttempts ?? 0);
    sums.set(at, { at: one.at, failedTasks, failedAttempts });
  }
  return Array.from({ length: last - first + 1 }, (_, n) => {
    const { failedTasks = 0, failedAttempts = 0 } = sums.get(first + n) ?? {};
    return { at: new Date((first + n) * length).toISOString(), failedTasks, failedAttempts };
  });
}
