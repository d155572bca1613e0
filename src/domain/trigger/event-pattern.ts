import { isReserved } from '../queue/reserved.js';
import type { DomainEvent } from '../kernel/decider.js';
import type { EventPattern, EventTrigger, TriggerDefinition } from './trigger.events.js';

/**
 * Whether the event is one that the trigger waits for. Events of the service's own queues are not, because a delivery that
 * fails would lead to another one.
 */
export function matches({ types, queue, exhausted }: EventPattern, { type, data }: DomainEvent): boolean {
  if (!types.includes(type)) return false;
  const of = (data as { readonly queue?: unknown }).queue;
  if (typeof of === 'string' && isReserved(of)) return false;
  if (queue !== undefined && of !== queue) return false;
  return exhausted === undefined || (data as { readonly exhausted?: unknown }).exhausted === true;
}

export const waitsForEvents = (definition: TriggerDefinition): definition is EventTrigger => 'event' in definition;

/** The queues from which an event trigger leads to another: its events are of the first, and its tasks of the second. */
export const leadsFrom = (definition: EventTrigger): { readonly from: string; readonly to: string } | null =>
  'task' in definition && definition.event.queue !== undefined
    ? { from: definition.event.queue, to: definition.task.queue }
    : null;
