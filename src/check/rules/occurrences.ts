import type { RecordedEvent } from '../../application/kernel/recorded-event.js';
import { sameContent } from '../../domain/kernel/json.js';
import { countOccurrences, newestOccurrences } from '../../application/kernel/cron.js';
import type { Skipped, TriggerEvent } from '../../domain/trigger/trigger.events.js';
import { evolveTrigger, type KnownTrigger, type TriggerState } from '../../domain/trigger/trigger.state.js';
import { isOfTrigger } from '../appends.js';
import type { LogIndex, Rule, Seen, Tell } from '../rule.js';
import { violation } from '../violation.js';

/** The tasks that triggers made. Nobody else enqueued them. */
export const firedTasks = (events: readonly RecordedEvent[]): readonly string[] =>
  events.filter(isOfTrigger).flatMap(({ event }) => {
    const { type, data } = event as TriggerEvent;
    return type === 'TriggerFired' ? data.firings.map(({ task }) => task) : [];
  });

/**
 * I11: every occurrence of a trigger, and every event that it waits for, fires once, in order, or is recorded as skipped
 * or given up, and its task exists and belongs to nothing else.
 */
export class Occurrences implements Rule {
  private readonly states = new Map<string, TriggerState>();
  /** The tasks that were fired and may be fired again. */
  private readonly fired = new Set<string>();

  constructor(
    private readonly index: LogIndex,
    private readonly isForeign = false,
  ) {}

  take(append: readonly Seen[], tell: Tell): void {
    for (const { recorded } of append) {
      if (!isOfTrigger(recorded)) continue;
      const before = this.states.get(recorded.stream) ?? { status: 'unknown' };
      if ('definition' in before) outOfTurn(recorded, before, this.index, this.isForeign, tell);
      this.states.set(recorded.stream, evolveTrigger(before, recorded.event as TriggerEvent));
      this.shared(recorded, tell);
    }
  }

  private shared(recorded: RecordedEvent, tell: Tell): void {
    for (const task of firedTasks([recorded])) {
      if (this.fired.has(task))
        tell(
          violation('I11', `Expected task '${task}' to be made for one occurrence, but it is for several`, recorded),
        );
      this.fired.add(task);
    }
  }
}

function outOfTurn(
  recorded: RecordedEvent,
  state: KnownTrigger,
  index: LogIndex,
  isForeign: boolean,
  tell: Tell,
): void {
  const { type, data } = recorded.event as TriggerEvent;
  if (type !== 'TriggerFired' && type !== 'TriggerSkipped') return;
  const says = `Expected '${data.trigger}' to`;
  for (const { task } of type === 'TriggerFired' ? data.firings : [])
    if (!index.has(task)) tell(violation('I11', `${says} make task '${task}', but it is not in the log`, recorded));
  const next = data.next;
  if (next === undefined) return;
  const occurrences = type === 'TriggerFired' ? data.firings.map(({ occurrence }) => occurrence) : [data.occurrence];
  const [from, to] = [state.next ?? next, next];
  const turns = [from, ...occurrences, to];
  const isInTurn =
    occurrences.every((one) => from <= one && one < to) && new Set(occurrences).size === occurrences.length;
  if (type === 'TriggerFired' && !areAll(state, occurrences, [from, to]))
    tell(violation('I11', `${says} fire for every occurrence from ${from} to ${to}, but it left some out`, recorded));
  const fired = type === 'TriggerFired' ? data.firings.length : 0;
  // The first builds did not count what they left out.
  const counts = !isForeign || type === 'TriggerFired' || data.skipped !== undefined;
  if (counts && !areCounted(state, { fired, skipped: data.skipped }, [from, to]))
    tell(
      violation(
        'I11',
        `${says} fire for the occurrences from ${from} to ${to} or count them, but it lost some`,
        recorded,
      ),
    );
  if (!isInTurn || from >= to)
    tell(violation('I11', `${says} go through its occurrences once each, but it went ${turns.join(', ')}`, recorded));
}

const MOST_OCCURRENCES = 100;
/** A week of minutes. No run lasts as long. */
const MOST_COUNTED = 10_080;

/** Of a trigger that fires for each occurrence that it missed. */
function areAll(
  { definition, owed }: KnownTrigger,
  fired: readonly string[],
  [from, next]: readonly [string, string],
): boolean {
  if (!('cron' in definition) || definition.missed !== 'each') return true;
  const own = newestOccurrences(definition, { from: owed?.then ?? from, to: before(next), count: MOST_OCCURRENCES });
  return sameContent([...(owed?.times ?? []), ...own].slice(-MOST_OCCURRENCES), fired);
}

/** Whether each occurrence fired or is counted as left out. */
function areCounted(
  { definition, owed }: KnownTrigger,
  { fired, skipped }: { readonly fired: number; readonly skipped: Skipped | undefined },
  [from, next]: readonly [string, string],
): boolean {
  if (!('cron' in definition)) return true;
  const own = countOccurrences(definition, { from: owed?.then ?? from, to: before(next), most: MOST_COUNTED });
  return (owed?.times.length ?? 0) + own === fired + (skipped?.count ?? 0);
}

const before = (time: string): string => new Date(Date.parse(time) - 1).toISOString();
