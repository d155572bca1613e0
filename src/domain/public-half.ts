import { entryOf } from './events.js';
import { PUBLIC_PARTS } from './kernel/event-declaration.js';
import type { DomainEvent } from './kernel/decider.js';

/** The event without what it was about: what a proof shows of it, and its store keeps when the rest is erased. */
export function publicHalf(event: DomainEvent): DomainEvent {
  const { private: isPrivate } = entryOf(event.type) ?? UNKNOWN;
  if (isPrivate === undefined) return event;
  const data: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(event.data)) {
    const part = isPrivate === 'all' ? undefined : isPrivate[member] === true ? partOf(member, value) : value;
    if (part !== undefined) data[member] = part;
  }
  return { ...event, data };
}

/** Nobody knows what is private in an event of a type that is not declared. */
const UNKNOWN = { private: 'all' } as const;

/** What the public half has of a private member. */
function partOf(member: string, value: unknown): unknown {
  const names = PUBLIC_PARTS[member];
  if (names === undefined || typeof value !== 'object' || value === null) return undefined;
  const found = names.filter((name) => (value as Record<string, unknown>)[name] !== undefined);
  return Object.fromEntries(found.map((name) => [name, (value as Record<string, unknown>)[name]]));
}
