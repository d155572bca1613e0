import { pointerTo, type InputFault } from './invalid-input.js';

/** Objects and lists within one another, the outermost included. */
export const MAX_DEPTH = 64;

/** As names of members they reach the prototype of whatever object they are copied to. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Node has had this since 20; the library of ES2023 has not. */
type Text = string & { isWellFormed(): boolean };

/** Text that Postgres or UTF-8 cannot hold has a NUL or half of a surrogate pair. Half the time of a regular expression. */
const isStorable = (text: string): boolean => (text as Text).isWellFormed() && !text.includes('\0');

/**
 * The first fault of `value`, unless it is JSON that can be stored and read back unchanged, whichever way it came in. One walk,
 * about 50 ns per value. A number of the request's text that JSON.parse had to round shows here as one
 * outside the exact range, so that the text itself need not be scanned. Members that are `undefined` count as absent.
 */
export function faultInJson(value: unknown): InputFault | null {
  const within = faultIn(value, 1);
  return within && { pointer: pointerTo(within.path.reverse()), detail: within.detail };
}

/** A fault inside a value; the path is built from the inside out while returning. */
interface FaultWithin {
  readonly path: string[];
  readonly detail: InputFault['detail'];
}

const fault = (detail: string): FaultWithin => ({ path: [], detail });

function faultIn(value: unknown, depth: number): FaultWithin | null {
  switch (typeof value) {
    case 'string':
      return faultOfText(value);
    case 'number':
      return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? null : faultOfNumber(value);
    case 'boolean':
      return null;
    case 'object':
      return value === null ? null : faultOfContainer(value, depth);
    default:
      return fault(`Expected a JSON value, but got a ${typeof value}`);
  }
}

const faultOfText = (text: string): FaultWithin | null =>
  isStorable(text) ? null : fault('Expected text without NUL and without halves of surrogate pairs, but it has one');

const faultOfNumber = (value: number): FaultWithin =>
  fault(
    Number.isFinite(value)
      ? 'Expected a number up to 2^53 - 1, but this one is larger and would be rounded: send it as text'
      : 'Expected a number that is finite, but this one is not',
  );

function faultOfContainer(value: object, depth: number): FaultWithin | null {
  if (depth > MAX_DEPTH) return fault(`Expected at most ${MAX_DEPTH} levels of nesting, but there are more`);
  return Array.isArray(value) ? faultOfItems(value, depth) : faultOfMembers(value as Record<string, unknown>, depth);
}

function faultOfItems(items: readonly unknown[], depth: number): FaultWithin | null {
  for (let index = 0; index < items.length; index++) {
    const within = faultIn(items[index], depth + 1);
    if (within) return found(within, String(index));
  }
  return null;
}

function faultOfMembers(members: Record<string, unknown>, depth: number): FaultWithin | null {
  if (!isPlain(members)) return fault(`Expected a JSON value, but got an instance of ${members.constructor.name}`);
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    const within = faultOfName(name) ?? faultIn(value, depth + 1);
    if (within) return found(within, name);
  }
  return null;
}

const faultOfName = (name: string): FaultWithin | null =>
  FORBIDDEN_NAMES.has(name) ? fault(`Expected no member named '${name}'`) : faultOfText(name);

function found(within: FaultWithin, step: string): FaultWithin {
  within.path.push(step);
  return within;
}

/** An object of any realm whose prototype is that realm's `Object.prototype`, or that has none. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
