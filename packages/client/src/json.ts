/**
 * The service accepts 64 levels. A deeper value is left to `JSON.stringify`, which refuses a circular one at once: walking
 * on would take for ever where each level refers back more than once.
 */
const DEPTH = 100;
/** The most bytes of a character in JSON text: an escape such as `\u0000`. UTF-8 needs at most three. */
const CHARACTER_BYTES = 6;
/** The most bytes of a number, `true`, `false` or `null`: `-1.2345678901234567e-123` has 24. */
const SCALAR_BYTES = 24;

/** The JSON text of `value`. Refuses numbers that JSON would silently change, naming the member. */
export function encodeJson(value: unknown): string {
  jsonBytesAtMost(value);
  return JSON.stringify(value) ?? 'null';
}

/**
 * An upper bound on the bytes of the JSON text of `value`, at most six times too high. Takes a tenth of the time of
 * writing the text. Refuses what `encodeJson` refuses.
 */
export const jsonBytesAtMost = (value: unknown): number => bytesOf(value, '', 1);

const utf8 = new TextEncoder();

/** The bytes of `text` as UTF-8. */
export const byteLength = (text: string): number => utf8.encode(text).length;

function bytesOf(value: unknown, name: string | number, depth: number): number {
  switch (typeof value) {
    case 'string':
      return 2 + CHARACTER_BYTES * value.length;
    case 'number':
      if (!isExact(value)) throw inexact(name, String(value));
      return SCALAR_BYTES;
    case 'bigint':
      throw inexact(name, `${value}n`);
    case 'object':
      return value === null ? SCALAR_BYTES : bytesOfObject(value, name, depth);
    default:
      return SCALAR_BYTES;
  }
}

function bytesOfObject(value: object & { readonly toJSON?: unknown }, name: string | number, depth: number): number {
  if (depth > DEPTH) return CHARACTER_BYTES * (JSON.stringify(value) ?? 'null').length;
  if (isBoxed(value)) return bytesOf(value.valueOf(), name, depth);
  if (typeof value.toJSON === 'function') return bytesOf(value.toJSON(String(name)), name, depth + 1);
  return Array.isArray(value) ? bytesOfItems(value, depth) : bytesOfMembers(value as Record<string, unknown>, depth);
}

function bytesOfItems(items: readonly unknown[], depth: number): number {
  let bytes = 2 + items.length;
  for (let index = 0; index < items.length; index++) bytes += bytesOf(items[index], index, depth + 1);
  return bytes;
}

function bytesOfMembers(members: Readonly<Record<string, unknown>>, depth: number): number {
  let bytes = 2;
  for (const name of Object.keys(members)) {
    bytes += 4 + CHARACTER_BYTES * name.length + bytesOf(members[name], name, depth + 1);
  }
  return bytes;
}

/**
 * The value that would be read from the JSON text of `value`, without writing the text: plain data that nothing else
 * refers to. Refuses what `encodeJson` refuses. Takes a quarter of the time of writing and reading.
 */
export function jsonCopy(value: unknown): unknown {
  const copy = copyOf(value, '', 1);
  return copy === undefined ? null : copy;
}

/** `undefined` if JSON would omit the value. */
function copyOf(value: unknown, name: string | number, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!isExact(value)) throw inexact(name, String(value));
      return value === 0 ? 0 : value; // JSON has no negative zero
    case 'bigint':
      throw inexact(name, `${value}n`);
    case 'object':
      return value === null ? null : copyOfObject(value, name, depth);
    default:
      return undefined;
  }
}

function copyOfObject(value: object & { readonly toJSON?: unknown }, name: string | number, depth: number): unknown {
  if (depth > DEPTH) return JSON.parse(encodeJson(value));
  if (isBoxed(value)) return copyOf(value.valueOf(), name, depth);
  if (typeof value.toJSON === 'function') return copyOf(value.toJSON(String(name)), name, depth);
  return Array.isArray(value) ? copyOfItems(value, depth) : copyOfMembers(value as Record<string, unknown>, depth);
}

function copyOfItems(items: readonly unknown[], depth: number): unknown[] {
  const copy = new Array<unknown>(items.length);
  for (let index = 0; index < items.length; index++) copy[index] = copyOf(items[index], index, depth + 1) ?? null;
  return copy;
}

function copyOfMembers(members: Readonly<Record<string, unknown>>, depth: number): object {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const member = copyOf(members[name], name, depth + 1);
    if (member === undefined) continue;
    // A plain assignment would set the prototype instead of creating a member that the service can refuse.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: member, enumerable: true });
    else copy[name] = member;
  }
  return copy;
}

/** Boxed primitives: JSON writes the value inside. */
const isBoxed = (value: object): boolean =>
  value instanceof Number || value instanceof String || value instanceof Boolean;

const isExact = (value: number): boolean =>
  Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value));

const inexact = (name: string | number, value: string): TypeError =>
  new TypeError(
    `Expected values that JSON carries exactly, but ${name === '' ? 'the value' : `'${name}'`} is ${value}: ` +
      'send integers beyond 2^53 as text, and no NaN or Infinity',
  );
