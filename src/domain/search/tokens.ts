import { SearchError } from './search-error.js';
import type { Span } from './vocabulary.js';

/** A value as it is written, without its quotes. */
export interface Value extends Span {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** A field with the character after it and its values, or, without a field, a word. */
export interface Token extends Span {
  readonly field: string | null;
  readonly sign: ':' | '>' | '<';
  readonly values: readonly Value[];
}

const SPACE = /\s/u;
/** A field with its sign. What begins otherwise is a word. */
const HEAD = /([A-Za-z][^\s:<>",]*)([:<>])/uy;
const BARE = /[^\s",]+/uy;
const QUOTED = /"((?:[^"\\]|\\["\\])*)"/uy;

/** Splits a text into terms. Throws `SearchError`. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = afterSpace(text, 0); at < text.length; at = afterSpace(text, tokens.at(-1)!.end))
    tokens.push(tokenAt(text, at));
  return tokens;
}

function tokenAt(text: string, at: number): Token {
  const [head = '', field = null, sign = ':'] = matchAt(HEAD, text, at) ?? [];
  const values = valuesAt(text, at + head.length, field === null ? 'a term' : `a value after '${head}'`);
  return { field, sign: sign as Token['sign'], values, at, end: values.at(-1)!.end };
}

/** A value, and others after commas. */
function valuesAt(text: string, at: number, expected: string): readonly Value[] {
  const values = [valueAt(text, at, expected)];
  for (let { end } = values[0]!; end < text.length && !SPACE.test(text[end]!); { end } = values.at(-1)!) {
    if (text[end] !== ',') throw new SearchError('a space or a comma after a value', restAt(text, end), end);
    values.push(valueAt(text, end + 1, 'a value after the comma'));
  }
  return values;
}

function valueAt(text: string, at: number, expected: string): Value {
  const bare = matchAt(BARE, text, at);
  if (bare) return { text: bare[0], isQuoted: false, at, end: at + bare[0].length };
  if (text[at] !== '"') throw new SearchError(expected, restAt(text, at), at);
  const quoted = matchAt(QUOTED, text, at);
  if (!quoted) throw new SearchError('a quote that ends the value', null, text.length);
  return { text: quoted[1]!.replaceAll(/\\(.)/gu, '$1'), isQuoted: true, at, end: at + quoted[0].length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && SPACE.test(text[at]!)) at++;
  return at;
}

/** What is there, for a message; null at the end. */
const restAt = (text: string, at: number): string | null => (at >= text.length ? null : text.slice(at, at + 20));
