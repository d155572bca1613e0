import { type IsoTime, sameContent } from '../kernel/json.js';
import type { CronTrigger, LeftOut, TriggerDefinition } from './trigger.events.js';
import type { KnownTrigger } from './trigger.state.js';

/** The occurrences of a trigger that came and have made no task, as of a moment. */
export interface OpenOccurrences {
  /** The oldest first, up to a number. */
  readonly newest: readonly IsoTime[];
  /** Those before them. */
  readonly older: LeftOut | null;
}

/** What a trigger waits for after its definition changed. */
export interface Kept {
  /** Null if it waits for events. */
  readonly next: IsoTime | null;
  /** Open occurrences of the former pattern. */
  readonly owed?: readonly IsoTime[];
  /** Open occurrences that no longer make a task. */
  readonly dropped?: LeftOut;
}

/**
 * What is open stays open: the new task is made for it. Only a trigger that no longer has times drops it. `first` is the
 * first occurrence of the new definition from now on.
 */
export function keptBy(
  definition: TriggerDefinition,
  { first, open }: { readonly first: IsoTime | null; readonly open: OpenOccurrences | null },
  state: KnownTrigger,
): Kept {
  if (looksAgain(definition, state, first)) return { next: state.next };
  if (open === null) return { next: first };
  if (!('cron' in definition) || 'event' in state.definition) return { next: first, dropped: allOf(open) };
  if (!isSamePattern(definition, state.definition as CronTrigger))
    return { next: first, owed: open.newest, ...(open.older && { dropped: open.older }) };
  const { owed, next } = state;
  return owed === null ? { next } : { next: owed.then, owed: owed.times };
}

/** Counts all open occurrences as one span of times. */
export function allOf({ newest, older }: OpenOccurrences): LeftOut {
  const [from, to] = [older?.from ?? newest[0]!, newest.at(-1) ?? older!.to];
  return { count: (older?.count ?? 0) + newest.length, ...(older?.atLeast && { atLeast: true }), from, to };
}

/**
 * A poll that is due keeps its time, because a process may have claimed the items of its job and died. After a failure
 * they were given back.
 */
const looksAgain = (
  definition: TriggerDefinition,
  { definition: before, next, failures }: KnownTrigger,
  now: IsoTime | null,
) =>
  'queue' in definition &&
  'queue' in before &&
  definition.queue === before.queue &&
  failures === 0 &&
  next !== null &&
  next <= now!;

const isSamePattern = (one: CronTrigger, other: CronTrigger): boolean =>
  sameContent([one.cron, one.timeZone], [other.cron, other.timeZone]);
