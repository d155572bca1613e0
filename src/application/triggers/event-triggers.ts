import { Injectable } from '@nestjs/common';
import { matches, typesOf } from '../../domain/trigger/event-pattern.js';
import type { TriggerDefinition, TriggerEvent } from '../../domain/trigger/trigger.events.js';
import { evolveTrigger, type KnownTrigger, type TriggerState } from '../../domain/trigger/trigger.state.js';
import { TRIGGER_CATEGORY } from '../../domain/trigger/trigger.stream.js';
import { categoryOf } from '../../domain/events.js';
import type { LogSegment } from '../kernel/log-segment.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import type { Match } from './event-firing.js';
import { TriggerStates } from './trigger-states.port.js';

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

  /** What the events of the segments match, in their order. */
  matchesIn(segments: readonly LogSegment[]): readonly Match[] {
    return segments.flatMap((segment) =>
      this.concerns(segment) ? segment.events().flatMap((one) => this.pass(one)) : [],
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

  private concerns({ type }: LogSegment): boolean {
    if (type.startsWith('Trigger')) return true;
    return [...this.states.values()].some((state) => eventsOf(state).includes(type));
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
