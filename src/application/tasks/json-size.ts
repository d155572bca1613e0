import type { Json, JsonObject } from '../../domain/kernel/json.js';

/** Of one character in JSON text: an escape such as `\u0000`; UTF-8 needs three at most. */
const CHARACTER = 6;
/** Of any number, `true`, `false` or `null`: `-1.2345678901234567e-123` has 24. */
const SCALAR = 24;

/**
 * No less than the bytes of the value's JSON text, without making the text: a payload is far below its limit nearly always,
 * and writing it twice was a twelfth of an enqueue's time.
 */
export function jsonBytesAtMost(value: Json): number {
  if (typeof value === 'string') return 2 + CHARACTER * value.length;
  if (typeof value !== 'object' || value === null) return SCALAR;
  // Not JSON's own, so that anything may come of it (only a caller in process can hand in such a thing).
  if ('toJSON' in value) return Infinity;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += 1 + jsonBytesAtMost(item as Json);
  else {
    const object = value as JsonObject;
    for (const name of Object.keys(object))
      bytes += 4 + CHARACTER * name.length + jsonBytesAtMost(object[name] ?? null);
  }
  return bytes;
}
