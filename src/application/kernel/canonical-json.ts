import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../domain/kernel/json.js';

/** SHA-256, in hex, of the value's canonical JSON (RFC 8785). */
export const canonicalSha256 = (value: Json): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** RFC 8785 is what JSON.stringify writes of numbers and texts, with the members of each object by the UTF-16 units of their names. */
function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as JsonObject;
  const members = Object.keys(object)
    .filter((name) => object[name] !== undefined)
    .sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(object[name]!)}`).join(',')}}`;
}
