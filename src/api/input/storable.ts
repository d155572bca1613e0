import { isObject } from './fields.js';
import { MAX_DEPTH } from './json-rules.js';

/** Makes a body acceptable that has unstorable text, if that text may change. */
export type Mend = (body: unknown) => unknown;

/** NUL and lone surrogates, which cannot be stored. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/**
 * Replaces the characters that cannot be stored in the text at a path of members; `*` stands for every element of a
 * list. An error that a worker reports may quote anything, and refusing the report would run the task again.
 */
export const storableAt =
  (...path: readonly string[]): Mend =>
  (body) =>
    mendedAt(body, path);

function mendedAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return storable(value, 1);
  if (step === '*') return Array.isArray(value) ? value.map((each) => mendedAt(each, rest)) : value;
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: mendedAt(value[step], rest) };
}

/** Deeper values stay as they are, and are refused for their depth. */
function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((each) => storable(each, depth + 1));
  const members = Object.entries(value).map(([name, member]) => [storableText(name), storable(member, depth + 1)]);
  return Object.fromEntries(members as [string, unknown][]);
}

const storableText = (text: string): string => text.replace(UNSTORABLE, '\uFFFD');
