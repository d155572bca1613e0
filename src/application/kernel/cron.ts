import { Cron } from 'croner';
import type { CronPattern, CronRejection } from '../../domain/kernel/cron.js';
import type { IsoTime } from '../../domain/kernel/json.js';

/**
 * The first occurrence after `now`. A local time that the clocks skip in spring occurs when the gap ends. One that
 * occurs twice in autumn counts the first time only, unless the pattern leaves the hour open.
 */
export function nextOccurrence(pattern: CronPattern, now: IsoTime): { at: IsoTime } | CronRejection {
  try {
    const next = cronOf(pattern).nextRun(new Date(now));
    return next ? { at: next.toISOString() } : invalid(pattern.cron, 'It names no time that comes');
  } catch (error) {
    return invalid(pattern.cron, (error as Error).message);
  }
}

/** The next `count` occurrences after `now` of a valid pattern. */
export const nextOccurrences = (pattern: CronPattern, now: IsoTime, count: number): readonly IsoTime[] =>
  cronOf(pattern)
    .nextRuns(count, new Date(now))
    .map((date) => date.toISOString());

/** The newest `count` occurrences of a valid pattern from `from` to `to`, both included, the oldest first. */
export const newestOccurrences = (
  pattern: CronPattern,
  { from, to, count }: { readonly from: IsoTime; readonly to: IsoTime; readonly count: number },
): readonly IsoTime[] =>
  cronOf(pattern)
    .previousRuns(count, new Date(Date.parse(to) + 1))
    .filter((date) => date.getTime() >= Date.parse(from))
    .map((date) => date.toISOString())
    .reverse();

/** How many occurrences of a valid pattern there are from `from` to `to`, both included: `most` at most. */
export function countOccurrences(pattern: CronPattern, { from, to, most }: CountedSpan): number {
  const cron = cronOf(pattern);
  let at = cron.nextRun(new Date(Date.parse(from) - 1));
  let count = 0;
  for (; at !== null && at.getTime() <= Date.parse(to) && count < most; count++) at = cron.nextRun(at);
  return count;
}

interface CountedSpan {
  readonly from: IsoTime;
  readonly to: IsoTime;
  readonly most: number;
}

/** Null if the pattern is valid and keeps occurring. */
export function cronFault(pattern: CronPattern, now: IsoTime): CronRejection | null {
  const { cron, timeZone } = pattern;
  if (!FIVE_PARTS.test(cron)) return invalid(cron, 'It does not have five parts');
  if (!isTimeZone(timeZone)) return invalid(cron, `'${timeZone}' is no time zone`);
  const next = nextOccurrence(pattern, now);
  return 'at' in next ? null : next;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const cronOf = ({ cron, timeZone }: CronPattern): Cron =>
  new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part' });

const invalid = (cron: string, reason: string): CronRejection => ({ code: 'CRON_INVALID', cron, reason });

/**
 * The library also accepts a date as a pattern, which occurs only once. A pattern of exactly five parts has minutes as
 * the finest unit and no years, so it recurs forever if it occurs at all.
 */
const FIVE_PARTS = /^\s*\S+(\s+\S+){4}\s*$/;
