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
  return {
    'event.position': position,
    'event.revision': revision,
    'event.version': version,
    'event.actor': actor,
    'event.agent': agent,
    'event.reason': reason,
    'event.policyVersion': policyVersion,
    'event.unreadable': unreadable,
  };
}

/** Each member with its type. What is null or absent is left out. */
export function attributesIn(members: Readonly<Record<string, unknown>>): readonly Attribute[] {
  const attributes: Attribute[] = [];
  for (const [name, value] of Object.entries(members))
    if (value !== null && value !== undefined)
      attributes.push({
        name,
        type: typeOf(value),
        value: typeof value === 'object' ? jsonLine(value) : String(value),
      });
  return attributes;
}

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
