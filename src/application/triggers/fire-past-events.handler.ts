import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { matches, typesOf, waitsForEvents } from '../../domain/trigger/event-pattern.js';
import type { EventTrigger } from '../../domain/trigger/trigger.events.js';
import type { KnownTrigger } from '../../domain/trigger/trigger.state.js';
import { EventStore } from '../kernel/event-store.port.js';
import { EventFiring, type Match } from './event-firing.js';
import type { PastFiring } from './past-firing.js';
import { TriggerStates } from './trigger-states.port.js';

/** How far one part went. */
export type FiredPart =
  | { readonly kind: 'fired'; readonly reached: string; readonly events: number }
  /** The trigger is disabled, deleted, or waits for events no more. */
  | { readonly kind: 'ended' }
  /** The index has not applied its definition yet. */
  | { readonly kind: 'early' };

/** Makes the tasks of the next past events that a trigger waits for. Repeated, it finds them there. */
export class FirePastEvents extends Command<FiredPart> {
  constructor(
    readonly firing: PastFiring,
    /** The id of the replay; null if the trigger begins. */
    readonly replay: string | null,
    /** The position up to which earlier parts have gone. */
    readonly reached: string,
  ) {
    super();
  }
}

/** Events that match, of one part. */
const PART = 500;

@CommandHandler(FirePastEvents)
export class FirePastEventsHandler implements ICommandHandler<FirePastEvents> {
  constructor(
    private readonly firing: EventFiring,
    private readonly states: TriggerStates,
    private readonly store: EventStore,
  ) {}

  async execute({ firing: { trigger, upTo }, replay, reached }: FirePastEvents): Promise<FiredPart> {
    const definition = await this.definitionOf(trigger, BigInt(upTo), replay !== null);
    if (typeof definition === 'string') return { kind: definition };
    const pattern = definition.event;
    const range = { after: BigInt(reached), upTo: BigInt(upTo) };
    const part = await this.store.scan(range, PART, { types: typesOf(pattern), ...ofQueue(pattern.queue) });
    const events = part.events.filter(({ unreadable, event }) => unreadable === undefined && matches(pattern, event));
    const [unfired] = await this.firing.fire(
      events.map((recorded): Match => ({ trigger, what: definition, recorded, ...mark(replay) })),
    );
    if (unfired) throw unfired.error;
    return { kind: 'fired', reached: String(part.reached), events: events.length };
  }

  /** Why there is none, if so. A replay is also of a trigger that is disabled. */
  private async definitionOf(
    trigger: string,
    upTo: bigint,
    isReplay: boolean,
  ): Promise<EventTrigger | 'ended' | 'early'> {
    const look = async (): Promise<EventTrigger | null> => {
      const stored = await this.states.named(trigger);
      return stored && definitionIn(stored.state, isReplay);
    };
    const found = await look();
    if (found) return found;
    if (!(await this.store.isIndexed(upTo))) return 'early';
    return (await look()) ?? 'ended';
  }
}

function definitionIn({ status, definition }: KnownTrigger, isReplay: boolean): EventTrigger | null {
  const isOn = isReplay || status === 'enabled';
  return isOn && waitsForEvents(definition) ? definition : null;
}

const ofQueue = (queue: string | undefined) => (queue === undefined ? {} : { queue });

const mark = (replay: string | null) => (replay === null ? ({ isLate: true } as const) : { replay });
