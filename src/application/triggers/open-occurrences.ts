import type { IsoTime } from '../../domain/kernel/json.js';
import type { OpenOccurrences } from '../../domain/trigger/open-occurrences.js';
import type { CronTrigger, LeftOut } from '../../domain/trigger/trigger.events.js';
import type { KnownTrigger, TriggerState } from '../../domain/trigger/trigger.state.js';
import { countOccurrences, newestOccurrences } from '../kernel/cron.js';

/** The most occurrences that make tasks at once, and that a change of the pattern keeps. */
export const MOST_OCCURRENCES = 100;
/** An occurrence costs about 60 µs. A trigger of every minute has this many in a week. */
const MOST_COUNTED = 10_080;

/** An occurrence is missed if it is noticed later than this. */
const MISSED_AFTER_MS = 60_000;

/** A trigger that has times. */
export type CronState = KnownTrigger & { readonly definition: CronTrigger };

/** What makes tasks now, and what `missed` leaves out. */
export interface Turn {
  readonly times: readonly IsoTime[];
  readonly skipped: LeftOut | null;
}

/** What a trigger that is due does about its open occurrences. */
export function turnOf(state: CronState, now: IsoTime): Turn {
  const { missed } = state.definition;
  const newest = newestOpen(state, now, missed === 'each' ? MOST_OCCURRENCES : 1);
  const isInTime = (time: IsoTime): boolean => Date.parse(now) - Date.parse(time) < MISSED_AFTER_MS;
  const times = missed === 'skip' ? newest.filter(isInTime) : newest;
  return { times, skipped: leftOutBefore(state, times[0] ?? null, now) };
}

/** What of a trigger has come until `now` and has not fired; null if nothing has. */
export function openOf(state: TriggerState, now: IsoTime): OpenOccurrences | null {
  if (!hasTimes(state) || state.next === null || state.next > now) return null;
  const newest = newestOpen(state, now, MOST_OCCURRENCES);
  return newest.length === 0 ? null : { newest, older: leftOutBefore(state, newest[0]!, now) };
}

export const hasTimes = (state: TriggerState): state is CronState =>
  'definition' in state && 'cron' in state.definition;

/** The oldest first: what is owed, and then occurrences of the present pattern. */
function newestOpen({ definition, next, owed }: CronState, to: IsoTime, count: number): readonly IsoTime[] {
  const own = newestOccurrences(definition, { from: owed?.then ?? next!, to, count });
  return [...(owed?.times ?? []), ...own].slice(-count);
}

/** The open occurrences before `first`, or all of them if that is null. Null if there are none. */
function leftOutBefore(state: CronState, first: IsoTime | null, now: IsoTime): LeftOut | null {
  const from = state.next!;
  if (first === from) return null;
  const to = first === null ? now : new Date(Date.parse(first) - 1).toISOString();
  const ofOwed = (state.owed?.times ?? []).filter((time) => time <= to);
  const own = { from: state.owed?.then ?? from, to };
  const counted = countOccurrences(state.definition, { ...own, most: MOST_COUNTED + 1 });
  const last = newestOccurrences(state.definition, { ...own, count: 1 })[0] ?? ofOwed.at(-1);
  if (last === undefined) return null;
  const count = ofOwed.length + Math.min(counted, MOST_COUNTED);
  return { count, ...(counted > MOST_COUNTED && { atLeast: true }), from, to: last };
}
