import { Injectable } from '@nestjs/common';
import { matches, typesOf } from '../../domain/trigger/event-pattern.js';
import type { TriggerDefinition, TriggerEvent } from '../../domain/trigger/trigger.events.js';
import { evolveTrigger, type KnownTrigger, type TriggerState } from '../../domain/trigger/trigger.state.js';
import { TRIGGER_CATEGORY, triggerStream } from '../../domain/trigger/trigger.stream.js';
import { categoryOf, idOfStream } from '../../domain/aggregates.js';
import { EVENTS } from '../../domain/events.js';
import { faultInTriggerEvent } from '../../domain/trigger/sound-event.js';
import { EventStore } from '../kernel/event-store.port.js';
import type { LogSegment } from '../kernel/log-segment.js';
import type { RecordedEvent, ShownEvent } from '../kernel/recorded-event.js';
import type { Match } from './event-firing.js';
import type { PastOrder } from './past-firing.js';
import { readSome, UnreadableStream } from '../kernel/unreadable-stream.js';
import { type StoredTrigger, TriggerStates } from './trigger-states.port.js';

/** An event that cannot be read, and a trigger that may wait for it, or whose own it is. */
export interface Unread {
  readonly trigger: string;
  readonly recorded: Pick<RecordedEvent, 'position' | 'recordedAt'>;
  readonly mayMatch: boolean;
  readonly error: unknown;
}

/** Somebody disabled the trigger, or it waits for events no more. It makes nothing of the events before this position. */
export interface Ended {
  readonly trigger: string;
  readonly position: bigint;
}

export interface Found {
  readonly matches: Match[];
  /** Those that were defined to begin with events of before. */
  readonly begun: PastOrder[];
  readonly unread: Unread[];
  readonly ended: Ended[];
}

/** What is known of an event that was put aside. */
export interface Known {
  /** It has matched before. */
  readonly isOwed?: boolean;
  /** The log did not deliver it, so the trigger may have dealt with later ones before. */
  readonly isLate?: boolean;
}

/** What an event matches by what its trigger is now. Throws if that cannot be known. */
export type MatchNow = (trigger: string, recorded: RecordedEvent, known: Known) => readonly Match[];

/** Events that are read at once. */
const PAGE = 1_000;

/** What changes which events a trigger waits for. */
const CHANGES: readonly TriggerEvent['type'][] = [
  'TriggerDefined',
  'TriggerChanged',
  'TriggerEnabled',
  'TriggerDisabled',
  'TriggerDeleted',
];

const UNKNOWN: TriggerState = { status: 'unknown' };

/** The triggers that wait for events, as of the position up to which their follower has read. */
@Injectable()
export class EventTriggers {
  private readonly states = new Map<string, TriggerState>();
  private upTo: bigint | null = null;

  constructor(
    private readonly rows: TriggerStates,
    private readonly store: EventStore,
  ) {}

  /** Reads the triggers as they were at the position, unless the follower goes on where it stopped. */
  async at(position: bigint): Promise<void> {
    if (this.upTo === position) return;
    const stored = await this.rows.all();
    const changed = await this.changedAfter(position, stored);
    this.states.clear();
    for (const { name, state } of stored) {
      const then = changed.has(triggerStream(name)) ? await this.stateAt(name, state, position) : state;
      if (then) this.states.set(name, then);
    }
    this.upTo = position;
  }

  /**
   * What the events of the segments match, in their order. An event that cannot be read may concern each trigger that waits
   * for its type. If it is one of a trigger, that is from then on what its row says, which may be ahead.
   */
  async found(segments: readonly LogSegment[]): Promise<Found> {
    const found: Found = { matches: [], begun: [], unread: [], ended: [] };
    for (const segment of segments) {
      if (this.waitingFor(segment.type).length === 0 && !segment.type.startsWith('Trigger')) continue;
      for (const recorded of segment.shown()) {
        const lost = this.pass(recorded, found);
        if (lost !== null) await this.reload(lost);
      }
    }
    return found;
  }

  /** By the rows of now. */
  async now(): Promise<MatchNow> {
    const [stored, lost] = await Promise.all([this.rows.all(), this.rows.lost()]);
    const states = new Map(stored.map(({ name, state }) => [name, state]));
    return (trigger, recorded, known) => {
      assertSound(recorded);
      if (lost.has(trigger)) throw new Error(lost.get(trigger));
      return matchOf(trigger, states.get(trigger) ?? { status: 'unknown' }, recorded, known);
    };
  }

  /** What an event that the log did not deliver matches by what each trigger was then, unless it owes that no more. */
  async late(
    recorded: RecordedEvent,
    historyOf: (trigger: string) => Promise<readonly RecordedEvent[]>,
  ): Promise<readonly Match[]> {
    const matches: Match[] = [];
    for (const { name } of await this.rows.all())
      matches.push(...lateMatches(name, (await historyOf(name)) as readonly RecordedEvent<TriggerEvent>[], recorded));
    return matches;
  }

  /** The triggers whose rows are out of date, because the index cannot apply their events. */
  async lost(): Promise<Iterable<string>> {
    return (await this.rows.lost()).keys();
  }

  /** The follower has dealt with all events up to this one. */
  reached(position: bigint): void {
    this.upTo = position;
  }

  /** Forgets what it read, so that it is read again. */
  forget(): void {
    this.upTo = null;
  }

  /** The streams of triggers whose rows are ahead, and say something else than at the position. */
  private async changedAfter(position: bigint, stored: readonly StoredTrigger[]): Promise<ReadonlySet<string>> {
    const upTo = stored.reduce((last, one) => (one.position > last ? one.position : last), position);
    const changed = new Set<string>();
    for (let after = position; after < upTo;) {
      const { events, reached } = await this.store.scan({ after, upTo }, PAGE, { types: CHANGES });
      for (const { stream } of events) changed.add(stream);
      after = reached;
    }
    return changed;
  }

  /** Null if it was not there. What it has dealt with since stays dealt with. One whose history cannot be read is what its row says. */
  private async stateAt(trigger: string, now: KnownTrigger, position: bigint): Promise<TriggerState | null> {
    const [history] = await readSome([triggerStream(trigger)], (some) => this.store.readStreams(some));
    if (history instanceof UnreadableStream || !history!.every((one) => faultIn(one) === null)) return now;
    const events = history!.filter((one) => one.position <= position).map(({ event }) => event as TriggerEvent);
    const then = events.reduce(evolveTrigger, UNKNOWN);
    return 'definition' in then ? { ...then, upTo: now.upTo } : null;
  }

  private waitingFor(type: string): readonly string[] {
    return [...this.states].filter(([, state]) => eventsOf(state).includes(type)).map(([trigger]) => trigger);
  }

  /** The name of the trigger whose own event cannot be read; null otherwise. */
  private pass(recorded: ShownEvent, { matches: found, begun, unread, ended }: Found): string | null {
    const own = ownerOf(recorded);
    try {
      assertSound(recorded);
      found.push(...[...this.states].flatMap(([trigger, state]) => matchOf(trigger, state, recorded)));
      begun.push(...pastOrdersOf(recorded));
      if (own !== null && this.evolve(recorded.event as TriggerEvent))
        ended.push({ trigger: own, position: recorded.position });
      return null;
    } catch (error) {
      const waiting = this.waitingFor(recorded.event.type);
      unread.push(...waiting.map((trigger) => ({ trigger, recorded, mayMatch: true, error })));
      if (own !== null && !waiting.includes(own)) unread.push({ trigger: own, recorded, mayMatch: false, error });
      return own;
    }
  }

  private async reload(trigger: string): Promise<void> {
    const stored = await this.rows.named(trigger);
    if (stored) this.states.set(trigger, stored.state);
    else this.states.delete(trigger);
  }

  /**
   * Whether the trigger owes nothing any more. The rows may be ahead of the follower: the events of a trigger that is deleted by
   * now begin with no definition.
   */
  private evolve(event: TriggerEvent): boolean {
    const before = this.states.get(event.data.trigger) ?? { status: 'unknown' };
    if (event.type !== 'TriggerDefined' && !('definition' in before)) return event.type === 'TriggerDeleted';
    const after = evolveTrigger(before, event);
    this.states.set(event.data.trigger, after);
    return owesNothingAfter(event, after);
  }
}

/** Whether it is another trigger, is not enabled, or waits for events no more. */
const owesNothingAfter = ({ type }: TriggerEvent, after: TriggerState): boolean =>
  type === 'TriggerDefined' || after.status !== 'enabled' || !('event' in after.definition);

function lateMatches(
  trigger: string,
  history: readonly RecordedEvent<TriggerEvent>[],
  recorded: RecordedEvent,
): readonly Match[] {
  const [before, after] = [[] as TriggerEvent[], [] as TriggerEvent[]];
  for (const { position, event } of history) (position < recorded.position ? before : after).push(event);
  let state = before.reduce(evolveTrigger, UNKNOWN);
  const found = matchOf(trigger, state, recorded, { isLate: true });
  for (const event of after) {
    state = evolveTrigger(state, event);
    if (owesNothingAfter(event, state)) return [];
  }
  return found;
}

/** What the definition of a trigger orders, if the event is one that says from where the trigger begins. */
export function pastOrdersOf(recorded: RecordedEvent): readonly PastOrder[] {
  const { type, data } = recorded.event as TriggerEvent;
  if (type !== 'TriggerDefined' && type !== 'TriggerChanged') return [];
  const { trigger, definition } = data;
  const after = 'event' in definition ? definition.event.from : undefined;
  return after === undefined ? [] : [{ trigger, after, recorded }];
}

const ownerOf = ({ stream }: RecordedEvent): string | null =>
  categoryOf(stream) === TRIGGER_CATEGORY ? idOfStream(stream) : null;

/** Throws if the event is damaged, or this build does not know it. One store passes on what it cannot decode. */
function assertSound(recorded: ShownEvent): void {
  const fault = faultIn(recorded);
  if (fault !== null) throw new Error(fault);
}

function faultIn(recorded: ShownEvent): string | null {
  const { event, unreadable } = recorded;
  const own = ownerOf(recorded);
  const isKnown = EVENTS[event.type as keyof typeof EVENTS]?.version === event.version;
  if (unreadable !== undefined) return unreadable;
  if (!isKnown) return `this build does not know '${event.type}' version ${event.version}`;
  return own === null ? null : faultInTriggerEvent(own, event);
}

const definitionOf = (state: TriggerState): TriggerDefinition | null =>
  'definition' in state ? state.definition : null;

function eventsOf(state: TriggerState): readonly string[] {
  const definition = definitionOf(state);
  return definition && 'event' in definition ? typesOf(definition.event) : [];
}

function matchOf(
  trigger: string,
  state: TriggerState,
  recorded: RecordedEvent,
  { isOwed = false, isLate = false }: Known = {},
): readonly Match[] {
  if (!('definition' in state)) return [];
  const { definition, status } = state;
  const isMatch =
    status === 'enabled' &&
    (isLate || isOpen(state, recorded)) &&
    'event' in definition &&
    (isOwed || matches(definition.event, recorded.event));
  const found: Match[] = isMatch ? [{ trigger, what: definition, recorded, ...(isLate && { isLate }) }] : [];
  const begins = definition.notify && beginsToFail(trigger, recorded.event as TriggerEvent);
  return begins ? [...found, { trigger, what: definition.notify, recorded }] : found;
}

/** What was dealt with before a trouble of another trigger is not done again. */
const isOpen = ({ upTo }: KnownTrigger, { position }: RecordedEvent): boolean =>
  upTo === null || position > BigInt(upTo);

const beginsToFail = (trigger: string, { type, data }: TriggerEvent): boolean =>
  (type === 'TriggerFailed' || type === 'TriggerGaveUp') && data.trigger === trigger && data.failures === 1;
