import type { Json, JsonObject } from '../../domain/kernel/json.js';

/** The most bytes that a character takes in JSON text: an escape such as `\u0000`. UTF-8 needs at most three. */
const CHARACTER = 6;
/** The most bytes of a number, `true`, `false` or `null`: `-1.2345678901234567e-123` has 24. */
const SCALAR = 24;

/** How many bytes the value has, if those are more than the limit; otherwise null. */
export function excessOf(value: Json | undefined, limit: number): { bytes: number; limit: number } | null {
  if (value === undefined || jsonBytesAtMost(value) <= limit) return null;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > limit ? { bytes, limit } : null;
}

/**
 * An upper bound on the bytes of a value's JSON text, computed without serialising it. Nearly every payload is far
 * below its limit, and serialising it twice took a twelfth of an enqueue's time.
 */
export function jsonBytesAtMost(value: Json): number {
  if (typeof value === 'string') return 2 + CHARACTER * value.length;
  if (typeof value !== 'object' || value === null) return SCALAR;
  // A `toJSON` method may return anything. Only a caller within the process can pass such a value.
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
