import { Cron } from 'croner';
import type { CronPattern, CronRejection } from '../../domain/kernel/cron.js';
import type { IsoTime } from '../../domain/kernel/json.js';

/**
 * The first occurrence after `now`. A local time that the clocks skip in spring occurs when the gap ends. One that
 * occurs twice in autumn counts the first time only, unless the pattern leaves the hour open.
 */
export function nextOccurrence({ cron, timeZone }: CronPattern, now: IsoTime): { at: IsoTime } | CronRejection {
  try {
    const next = new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part' }).nextRun(new Date(now));
    return next ? { at: next.toISOString() } : invalid(cron, 'It names no time that comes');
  } catch (error) {
    return invalid(cron, (error as Error).message);
  }
}

/** Null if the pattern is valid and keeps occurring. */
export function cronFault(pattern: CronPattern, now: IsoTime): CronRejection | null {
  if (!FIVE_PARTS.test(pattern.cron)) return invalid(pattern.cron, 'It does not have five parts');
  const next = nextOccurrence(pattern, now);
  return 'at' in next ? null : next;
}

const invalid = (cron: string, reason: string): CronRejection => ({ code: 'CRON_INVALID', cron, reason });

/**
 * The library also accepts a date as a pattern, which occurs only once. A pattern of exactly five parts has minutes as
 * the finest unit and no years, so it recurs forever if it occurs at all.
 */
const FIVE_PARTS = /^\s*\S+(\s+\S+){4}\s*$/;
