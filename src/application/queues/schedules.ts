import { Cron } from 'croner';
import type { IsoTime } from '../../domain/kernel/json.js';
import type { QueueSchedule } from '../../domain/queue/queue.policy.js';

/**
 * The first occurrence after `now`. A local time that the clocks skip in spring occurs when the gap ends; one that they show twice in
 * autumn occurs the first time only, unless the pattern leaves the hour open.
 */
export function nextOccurrence({ cron, timeZone }: QueueSchedule, now: IsoTime): IsoTime {
  const next = occurrences(cron, timeZone).nextRun(new Date(now));
  if (!next) throw new Error(`Expected schedule '${cron}' to occur after ${now}, but it does not`);
  return next.toISOString();
}

/** Why this is no schedule; null where it is one that occurs, and goes on to occur. */
export function scheduleFault({ cron, timeZone }: QueueSchedule, now: IsoTime): string | null {
  try {
    const next = occurrences(cron, timeZone).nextRun(new Date(now));
    return next ? null : `Expected '${cron}' to name a time that comes, but it never does`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Minutes are the finest part, and years are not among the parts: whatever occurs once occurs for ever. */
const occurrences = (cron: string, timeZone: string): Cron =>
  new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part' });
