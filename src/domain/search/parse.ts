import { DURATION, type Since, sinceOf } from '../kernel/since.js';
import { SearchError } from './search-error.js';
import { type Token, tokensOf, type Value } from './tokens.js';
import type { Pattern, Span, TermOf, TimeBound, Vocabulary } from './vocabulary.js';

/** Terms of one text: more are no question that a person asks. */
const MOST_TERMS = 50;
const MOST_VALUES = 100;

/** The other names of bounds of the first time. */
const BOUNDS = { since: '>', until: '<' } as const;

/** Reads the terms of a search. Throws `SearchError`. */
export function parse<Text extends string, Named extends string, Time extends string>(
  text: string,
  vocabulary: Vocabulary<Text, Named, Time>,
): readonly TermOf<Text, Named, Time>[] {
  const tokens = tokensOf(text);
  const beyond = tokens[MOST_TERMS];
  if (beyond) throw new SearchError(`at most ${MOST_TERMS} terms`, 'one more', beyond.at);
  return tokens.map((token) => termOf(token, vocabulary));
}

function termOf<Text extends string, Named extends string, Time extends string>(
  token: Token,
  vocabulary: Vocabulary<Text, Named, Time>,
): TermOf<Text, Named, Time> {
  const { field, sign, values, at, end } = token;
  const { texts, named, times } = vocabulary;
  const span: Span = { at, end };
  if (values.length > MOST_VALUES)
    throw new SearchError(`at most ${MOST_VALUES} values`, 'one more', values[MOST_VALUES]!.at);
  if (field === null) return { field: 'word', values: values.map(exact), ...span };
  if (sign !== ':') return { ...timeBound(values, oneOfTimes(times, field, sign, at), sign), ...span };
  if (isOneOf(['since', 'until'] as const, field)) return { ...timeBound(values, times[0], BOUNDS[field]), ...span };
  if (isOneOf(texts, field)) return { field, values: values.map((one) => patternOf(field, one, vocabulary)), ...span };
  const [before, name] = atDot(field);
  if (!isOneOf(named, before) || name === '') throw unknownField(vocabulary, field, at);
  return { field: before, name, values: values.map((one) => patternOf(before, one, vocabulary)), ...span };
}

/** What can stand before a colon, for people. */
function unknownField(
  { texts, named }: Pick<Vocabulary<string, string, string>, 'texts' | 'named'>,
  field: string,
  at: number,
): SearchError {
  const fields = [...texts, ...named.map((one) => `${one}.NAME`), ...Object.keys(BOUNDS)];
  return new SearchError(`one of the fields ${fields.join(', ')}, or quotes around a word with a colon,`, field, at);
}

function oneOfTimes<Time extends string>(times: readonly Time[], field: string, bound: string, at: number): Time {
  if (!isOneOf(times, field)) throw new SearchError(`'${times.join("' or '")}' before '${bound}'`, field, at);
  return field;
}

function timeBound<Time extends string>(values: readonly Value[], field: Time, bound: '>' | '<'): TimeBound<Time> {
  const [value, second] = values as [Value, Value?];
  if (second) throw new SearchError('one time', second.text, second.at);
  return { field, bound, than: timeIn(value) };
}

const INSTANT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2}))?$/;

function timeIn({ text, at }: Value): Since {
  const isTime = text === 'now' || DURATION.test(text) || (INSTANT.test(text) && isInstant(text));
  if (!isTime)
    throw new SearchError("how long ago, such as '2h' (s, m, h or d), a day, or an instant with its zone", text, at);
  return sinceOf(text);
}

/** A day of the calendar, from 1970 to 9999. */
function isInstant(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = Date.parse(day);
  return !Number.isNaN(Date.parse(text)) && midnight >= 0 && new Date(midnight).toISOString().startsWith(day);
}

function patternOf<Field extends string>(
  field: Field,
  value: Value,
  { prefixed, expected }: Pick<Vocabulary<Field, Field, string>, 'prefixed' | 'expected'>,
): Pattern {
  const { text, at } = value;
  const instead = expected(field, text);
  if (instead !== null) throw new SearchError(instead, text, at);
  if (!prefixed.has(field) || value.isQuoted || !text.endsWith('*')) return exact(value);
  if (text === '*') throw new SearchError("text before '*'", text, at);
  return { text: text.slice(0, -1), isPrefix: true };
}

/** NUL, and half of a character. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

function exact({ text, at }: Value): Pattern {
  if (text === '') throw new SearchError('a value that is not empty', '""', at);
  if (UNSTORABLE.test(text)) throw new SearchError('text that can be stored', text, at);
  return { text, isPrefix: false };
}

/** Before and after the first dot. */
function atDot(field: string): readonly [before: string, after: string] {
  const dot = field.indexOf('.');
  return dot < 0 ? [field, ''] : [field.slice(0, dot), field.slice(dot + 1)];
}

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name);
