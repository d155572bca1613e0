import { Injectable } from '@nestjs/common';
import { matches, typesOf } from '../../domain/trigger/event-pattern.js';
import type { TriggerDefinition, TriggerEvent } from '../../domain/trigger/trigger.events.js';
import { evolveTrigger, type KnownTrigger, type TriggerState } from '../../domain/trigger/trigger.state.js';
import { TRIGGER_CATEGORY } from '../../domain/trigger/trigger.stream.js';
import { categoryOf } from '../../domain/events.js';
import { type LogSegment, positionsOf } from '../kernel/log-segment.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import type { Match } from './event-firing.js';
import { TriggerStates } from './trigger-states.port.js';

/** An event that cannot be read, and a trigger that may wait for it. */
export interface Unread {
  readonly trigger: string;
  readonly position: bigint;
  readonly error: unknown;
}

export interface Found {
  readonly matches: readonly Match[];
  readonly unread: readonly Unread[];
}

/** The triggers that wait for events, as of the position up to which their follower has read. */
@Injectable()
export class EventTriggers {
  private readonly states = new Map<string, TriggerState>();
  private upTo: bigint | null = null;

  constructor(private readonly rows: TriggerStates) {}

  /** Reads the triggers, unless the follower goes on where it stopped. */
  async at(position: bigint): Promise<void> {
    if (this.upTo === position) return;
    this.states.clear();
    for (const { name, state } of await this.rows.all()) this.states.set(name, state);
    this.upTo = position;
  }

  /**
   * What the events of the segments match, in their order. An event that cannot be read may concern each trigger that waits
   * for its type. Throws if it is one of a trigger, because the triggers would not be known from then on.
   */
  found(segments: readonly LogSegment[]): Found {
    const [matches, unread]: [Match[], Unread[]] = [[], []];
    for (const segment of segments) {
      const waiting = this.waitingFor(segment);
      const isOfTriggers = segment.type.startsWith('Trigger');
      if (waiting.length === 0 && !isOfTriggers) continue;
      try {
        matches.push(...segment.events().flatMap((one) => this.pass(one)));
      } catch (error) {
        if (isOfTriggers) throw error;
        unread.push(
          ...positionsOf(segment).flatMap((at) => waiting.map((trigger) => ({ trigger, position: at, error }))),
        );
      }
    }
    return { matches, unread };
  }

  /** What events match by what their triggers are now. */
  async matchesNow(events: readonly { readonly trigger: string; readonly recorded: RecordedEvent }[]) {
    const states = new Map((await this.rows.all()).map(({ name, state }) => [name, state]));
    return events.flatMap(({ trigger, recorded }) =>
      matchOf(trigger, states.get(trigger) ?? { status: 'unknown' }, recorded),
    );
  }

  /** The follower has dealt with all events up to this one. */
  reached(position: bigint): void {
    this.upTo = position;
  }

  /** Forgets what it read, so that it is read again. */
  forget(): void {
    this.upTo = null;
  }

  private waitingFor({ type }: LogSegment): readonly string[] {
    return [...this.states].filter(([, state]) => eventsOf(state).includes(type)).map(([trigger]) => trigger);
  }

  private pass(recorded: RecordedEvent): readonly Match[] {
    const found = [...this.states].flatMap(([trigger, state]) => matchOf(trigger, state, recorded));
    if (categoryOf(recorded.stream) === TRIGGER_CATEGORY) this.evolve(recorded.event as TriggerEvent);
    return found;
  }

  /** The rows may be ahead of the follower: the events of a trigger that is deleted by now begin with no definition. */
  private evolve(event: TriggerEvent): void {
    const before = this.states.get(event.data.trigger) ?? { status: 'unknown' };
    if (event.type !== 'TriggerDefined' && !('definition' in before)) return;
    this.states.set(event.data.trigger, evolveTrigger(before, event));
  }
}

const definitionOf = (state: TriggerState): TriggerDefinition | null =>
  'definition' in state ? state.definition : null;

function eventsOf(state: TriggerState): readonly string[] {
  const definition = definitionOf(state);
  return definition && 'event' in definition ? typesOf(definition.event) : [];
}

function matchOf(trigger: string, state: TriggerState, recorded: RecordedEvent): readonly Match[] {
  if (!('definition' in state)) return [];
  const { definition, status } = state;
  const isMatch =
    status === 'enabled' &&
    isOpen(state, recorded) &&
    'event' in definition &&
    matches(definition.event, recorded.event);
  const found: Match[] = isMatch ? [{ trigger, what: definition, recorded }] : [];
  const begins = definition.notify && beginsToFail(trigger, recorded.event as TriggerEvent);
  return begins ? [...found, { trigger, what: definition.notify, recorded }] : found;
}

/** What was dealt with before a trouble of another trigger is not done again. */
const isOpen = ({ upTo }: KnownTrigger, { position }: RecordedEvent): boolean =>
  upTo === null || position > BigInt(upTo);

const beginsToFail = (trigger: string, { type, data }: TriggerEvent): boolean =>
  (type === 'TriggerFailed' || type === 'TriggerGaveUp') && data.trigger === trigger && data.failures === 1;
