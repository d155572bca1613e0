import { Cron } from 'croner';
import type { IsoTime } from '../../domain/kernel/json.js';
import type { QueueSchedule } from '../../domain/queue/queue.policy.js';

/** A time, or the reason why there is none. */
export type Occurrence = { readonly at: IsoTime } | { readonly fault: string };

/**
 * The first occurrence after `now`. A local time that the clocks skip in spring occurs when the gap ends. One that
 * occurs twice in autumn counts the first time only, unless the pattern leaves the hour open.
 */
export function nextOccurrence({ cron, timeZone }: QueueSchedule, now: IsoTime): Occurrence {
  try {
    const next = new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part' }).nextRun(new Date(now));
    return next ? { at: next.toISOString() } : { fault: `Expected '${cron}' to name a time that comes, but none does` };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** Why the schedule is invalid; null if it is valid and keeps occurring. */
export function scheduleFault(schedule: QueueSchedule, now: IsoTime): string | null {
  if (!FIVE_PARTS.test(schedule.cron)) return `Expected a pattern of five parts, but got '${schedule.cron}'`;
  const next = nextOccurrence(schedule, now);
  return 'fault' in next ? next.fault : null;
}

/**
 * The library also accepts a date as a pattern, which occurs only once. A pattern of exactly five parts has minutes as
 * the finest unit and no years, so it recurs forever if it occurs at all.
 */
const FIVE_PARTS = /^\s*\S+(\s+\S+){4}\s*$/;
