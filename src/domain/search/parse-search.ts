import { isUuid } from '../kernel/patterns.js';
import { DURATION, type Since, sinceOf } from '../kernel/since.js';
import { LONGEST_TERM } from '../task/payload-terms.js';
import { TASK_STATUSES } from '../task/task.events.js';
import { SearchError } from './search-error.js';
import {
  BOUNDS,
  FIELDS,
  NAMED_FIELDS,
  type NamedField,
  type Pattern,
  PREFIXED,
  type Search,
  type TaskTime,
  type Term,
  TEXT_FIELDS,
  type TextField,
  TIMES,
} from './term.js';
import { type Token, tokensOf, type Value } from './tokens.js';

/** Terms of one text: more are no question that a person asks. */
const MOST_TERMS = 50;
const MOST_VALUES = 100;

/** Reads a search such as `state:failed error:"timed out" since:2h`. Throws `SearchError`. */
export function parseSearch(text: string): Search {
  const tokens = tokensOf(text);
  const beyond = tokens[MOST_TERMS];
  if (beyond) throw new SearchError(`at most ${MOST_TERMS} terms`, 'one more', beyond.at);
  return tokens.map(termOf);
}

function termOf(token: Token): Term {
  const { field, sign, values, at, end } = token;
  const span = { at, end };
  if (values.length > MOST_VALUES)
    throw new SearchError(`at most ${MOST_VALUES} values`, 'one more', values[MOST_VALUES]!.at);
  if (field === null) return { field: 'word', values: values.map(exact), ...span };
  if (sign !== ':') return timeTerm(token, field, sign);
  if (isOneOf(Object.keys(BOUNDS) as (keyof typeof BOUNDS)[], field)) return timeTerm(token, 'enqueued', BOUNDS[field]);
  if (isOneOf(TEXT_FIELDS, field)) return { field, values: values.map((value) => patternOf(field, value)), ...span };
  const [before, name] = atDot(field);
  if (isOneOf(NAMED_FIELDS, before) && name !== '')
    return { field: before, name, values: values.map((value) => namedPattern(before, value)), ...span };
  throw new SearchError(`one of the fields ${FIELDS.join(', ')}, or quotes around a word with a colon,`, field, at);
}

function timeTerm({ values, at, end }: Token, field: string, bound: '>' | '<'): Term {
  if (!isOneOf(TIMES, field)) throw new SearchError(`'${TIMES.join("' or '")}' before '${bound}'`, field, at);
  const [value, second] = values as [Value, Value?];
  if (second) throw new SearchError('one time', second.text, second.at);
  return { field: field as TaskTime, bound, than: timeIn(value), at, end };
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

const SHORT_ID = /^[0-9a-f]{8}$/;

function patternOf(field: TextField, value: Value): Pattern {
  const { text, at } = value;
  if (field === 'state' && !isOneOf(TASK_STATUSES, text))
    throw new SearchError(`one of the states ${TASK_STATUSES.join(', ')}`, text, at);
  if (field === 'id' && !isUuid(text) && !SHORT_ID.test(text))
    throw new SearchError('an id in lower case, or its last 8 characters,', text, at);
  if (field === 'batch' && !isUuid(text)) throw new SearchError('the id of a batch in lower case', text, at);
  if (!PREFIXED.has(field) || value.isQuoted || !text.endsWith('*')) return exact(value);
  if (text === '*') throw new SearchError("text before '*'", text, at);
  return { text: text.slice(0, -1), isPrefix: true };
}

/** Longer values of a payload are not found. */
function namedPattern(field: NamedField, value: Value): Pattern {
  const isTooLong = field === 'payload' && value.text.length > LONGEST_TERM;
  if (isTooLong) throw new SearchError(`at most ${LONGEST_TERM} characters`, value.text, value.at);
  return exact(value);
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
