import type { DomainEvent } from '../../domain/kernel/decider.js';
import { matches, waitsForEvents } from '../../domain/trigger/event-pattern.js';
import type { TriggerDefinition } from '../../domain/trigger/trigger.events.js';
import type { TriggerStates } from './trigger-states.port.js';

type EventTrigger = readonly [name: string, definition: TriggerDefinition];

/** The enabled triggers that wait for events. */
export async function eventTriggers(triggers: TriggerStates): Promise<readonly EventTrigger[]> {
  const stored = await triggers.all();
  return stored.flatMap(({ name, state }) =>
    state.status === 'enabled' && waitsForEvents(state.definition) ? [[name, state.definition] as const] : [],
  );
}

/** Those of the triggers that fire for what one decision records. */
export const firedBy = (triggers: readonly EventTrigger[], events: readonly DomainEvent[]): readonly string[] =>
  triggers.filter(([, definition]) => events.some((event) => fires(definition, event))).map(([name]) => name);

const fires = (definition: TriggerDefinition, event: DomainEvent): boolean =>
  waitsForEvents(definition) && matches(definition.event, event);
