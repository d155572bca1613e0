import type { DomainEvent } from '../kernel/decider.js';
import type { Json } from '../kernel/json.js';

/** The only member of what an event has in place of a payload that is stored outside the log. */
const MEMBER = 'waybill:outside';
const SHA_256 = /^[0-9a-f]{64}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What the log keeps of such a payload: the SHA-256 of its JSON text in hex, how many bytes that has, and the day, in UTC, on which it was stored. */
export interface OutsidePayload {
  readonly sha256: string;
  readonly bytes: number;
  readonly day: string;
}

export const inPlaceOf = ({ sha256, bytes, day }: OutsidePayload): Json => ({ [MEMBER]: { sha256, bytes, day } });

/** Null if the payload itself is in the log. */
export function outsidePayloadIn(payload: Json | undefined): OutsidePayload | null {
  if (payload === null || typeof payload !== 'object' || !(MEMBER in payload)) return null;
  const { sha256, bytes, day } = (payload[MEMBER] ?? {}) as Partial<Record<keyof OutsidePayload, unknown>>;
  const isOne = isMatch(sha256, SHA_256) && isMatch(day, DAY) && typeof bytes === 'number';
  return isOne ? { sha256, bytes, day } : null;
}

const isMatch = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value);

/** What an event has in place of a payload that it brings; null if it brings none, or has it. */
export const outsidePayloadOf = ({ data }: DomainEvent): OutsidePayload | null =>
  outsidePayloadIn((data as { readonly payload?: Json }).payload);
