import type { Json } from '../kernel/json.js';

/** By path, such as `order.id`, the text of the value there. */
export type PayloadTerms = Readonly<Record<string, string>>;

/** Characters of a value. Longer ones are not found by it. */
export const LONGEST_TERM = 200;

/** NUL, and half of a character, which no index takes. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** What a search finds of a payload: the texts, numbers and truth values at the paths. Null if there are none. */
export function payloadTerms(payload: Json | undefined, paths: readonly string[] = []): PayloadTerms | null {
  const found = paths.flatMap((path) => {
    const text = textOf(valueAt(payload, path.split('.')));
    return text === null ? [] : [[path, text] as const];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}

const valueAt = (payload: Json | undefined, names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    payload,
  );

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textOf(value: Json | undefined): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_TERM && !UNSTORABLE.test(value)
    ? value
    : null;
}
