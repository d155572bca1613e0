import { isReserved } from '../queue/reserved.policy.js';
import type { DomainEvent } from '../kernel/decider.js';
import type { EventPattern, EventTrigger, TriggerDefinition } from './trigger.events.js';

/**
 * Whether the event is one that the trigger waits for. Events of the service's own queues are not, because a delivery that
 * fails would lead to another one.
 */
export function matches({ types, queue, exhausted }: EventPattern, event: DomainEvent): boolean {
  if (!types.includes(event.type) && !(types.includes('TaskFailed') && isOverruledFailure(event))) return false;
  const of = (event.data as { readonly queue?: unknown }).queue;
  if (typeof of === 'string' && isReserved(of)) return false;
  if (queue !== undefined && of !== queue) return false;
  return exhausted === undefined || isAtLimit(event);
}

/** The types of the events that may match. A task also fails by an event of another type: an administrator overrules its attempt. */
export const typesOf = ({ types }: EventPattern): readonly string[] =>
  types.includes('TaskFailed') ? [...types, 'TaskOverruled'] : types;

const isOverruledFailure = ({ type, data }: DomainEvent): boolean =>
  type === 'TaskOverruled' && (data as { readonly verdict?: unknown }).verdict === 'fail';

/** Whether a limit of the queue or a person ended the task, and not its worker (S4-23). */
const isAtLimit = (event: DomainEvent): boolean =>
  isOverruledFailure(event) || (event.data as { readonly exhausted?: unknown }).exhausted === true;

export const waitsForEvents = (definition: TriggerDefinition): definition is EventTrigger => 'event' in definition;
