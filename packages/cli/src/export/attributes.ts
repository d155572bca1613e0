import type { EventView } from '@waybill/client';
import { jsonLine } from '@waybill/client/words';

export type AttributeType = 'string' | 'time' | 'integer' | 'float' | 'boolean';

/** A value with its type, as text. */
export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly value: string;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** What an event says besides its id, type, time and stream. Members of members are JSON. */
export const attributesOf = (event: EventView): readonly Attribute[] =>
  attributesIn({ ...prefixed(event), ...event.data });

function prefixed({ position, revision, version, unreadable, envelope }: EventView): Readonly<Record<string, unknown>> {
  const { actor, agent, reason, policyVersion } = envelope;
  const own = { position, revision, version, actor, agent, reason, policyVersion, unreadable };
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [`event.${name}`, value]));
}

/** Each member with its type. What is null or absent is left out. */
export const attributesIn = (members: Readonly<Record<string, unknown>>): readonly Attribute[] =>
  Object.entries(members).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const type = typeOf(value);
    return [{ name, type, value: typeof value === 'object' ? jsonLine(value) : String(value) }];
  });

function typeOf(value: unknown): AttributeType {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'float';
  return typeof value === 'string' && TIME.test(value) ? 'time' : 'string';
}

/** The type of values of both types. */
export const widened = (one: AttributeType, other: AttributeType): AttributeType => {
  if (one === other) return one;
  return [one, other].every((type) => type === 'integer' || type === 'float') ? 'float' : 'string';
};
