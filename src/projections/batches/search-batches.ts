import type { BatchSearch, BatchTerm } from '../../domain/search/batch-search.js';
import type { Pattern, TimeBound } from '../../domain/search/vocabulary.js';
import type { Since } from '../../domain/kernel/since.js';
import { beginning, type Bind, containing, type Fragment, texts, uuids } from '../kernel/fragment.js';
import { type EventsAsked, type Moment, NoSuchMoment, type Past, TooMuchToFold } from '../kernel/past.port.js';

/** The batches of one actor that are looked at, and how long they are looked for. */
const MOST_CREATED = 50_000;
const WITHIN_MS = 10_000;

/** The conditions on a row `b` of batches, by the log up to a moment; if absent, up to now. Throws `TooMuchToFold` and `HistoryNotReady`. */
export async function batchConditions(past: Past, search: BatchSearch, upTo?: Moment): Promise<readonly Fragment[]> {
  if (search.length === 0) return [];
  const { position, at } = upTo ?? (await past.now());
  const asked = { search, upTo: position, now: Date.parse(at) };
  const conditions: Fragment[] = [];
  for (const term of search) conditions.push(await conditionOf(past, term, asked));
  return conditions;
}

/** Whether a search says which states it means. */
export const namesState = (search: BatchSearch): boolean => search.some(({ field }) => field === 'state');

interface Asked {
  readonly search: BatchSearch;
  readonly upTo: bigint;
  /** From when it is counted how long ago something was: milliseconds since 1970, by the clock of the service. */
  readonly now: number;
}

async function conditionOf(past: Past, term: BatchTerm, asked: Asked): Promise<Fragment> {
  if ('than' in term) return (bind) => timeIs(term, asked.now, bind);
  if ('name' in term) return (bind) => anyOf(term.values, ({ text }) => labelIs(term.name, text, bind));
  if (term.field !== 'actor') return (bind) => CONDITIONS[term.field as keyof typeof CONDITIONS](term.values, bind);
  const ids = await createdBy(past, term.values, asked);
  return (bind) => `b.id = any (${uuids(bind, ids)})`;
}

type Condition = (values: readonly Pattern[], bind: Bind) => string;

const CONDITIONS = {
  id: (values, bind) => anyOf(values, ({ text }) => idIs(text, bind)),
  state: (values, bind) => columnIs('b.state', values, bind),
  name: (values, bind) => columnIs('b.name', values, bind),
  /** Upper and lower case are alike. */
  word: (values, bind) => {
    const patterns = texts(
      bind,
      values.map(({ text }) => containing(text)),
    );
    return `(b.name ilike any (${patterns}) or coalesce(b.description, '') ilike any (${patterns}))`;
  },
} satisfies Record<string, Condition>;

const anyOf = (values: readonly Pattern[], condition: (value: Pattern) => string): string =>
  `(${values.map(condition).join(' or ')})`;

const columnIs = (column: string, values: readonly Pattern[], bind: Bind): string =>
  anyOf(values, ({ text, isPrefix }) =>
    isPrefix ? `${column} like ${bind(beginning(text))}` : `${column} = ${bind(text)}`,
  );

const idIs = (text: string, bind: Bind): string =>
  text.length === 36 ? `b.id = cast(${bind(text)} as uuid)` : `right(cast(b.id as text), 8) = ${bind(text)}`;

const labelIs = (name: string, value: string, bind: Bind): string =>
  `b.labels @> ${bind(JSON.stringify({ [name]: value }))}`;

const COLUMNS = { created: 'b.created_at', ended: 'b.ended_at' } as const;

const timeIs = ({ field, bound, than }: TimeBound<keyof typeof COLUMNS>, now: number, bind: Bind): string =>
  `${COLUMNS[field]} ${bound === '>' ? '>=' : '<'} cast(${bind(new Date(timeOf(than, now)).toISOString())} as timestamptz)`;

const timeOf = (than: Since, now: number): number => ('at' in than ? than.at.getTime() : now - than.ago);

/** Only the log knows who created a batch. */
async function createdBy(past: Past, actors: readonly Pattern[], asked: Asked): Promise<readonly string[]> {
  const range = { after: await beginningOf(past, asked), upTo: asked.upTo };
  const found: string[] = [];
  for (const { text: actor } of actors) found.push(...(await created(past, { ...range, actor })));
  return found;
}

async function created(past: Past, asked: Pick<EventsAsked, 'after' | 'upTo' | 'actor'>): Promise<readonly string[]> {
  const limits = { types: ['BatchCreated'], most: MOST_CREATED, withinMs: WITHIN_MS };
  const { events, isWhole } = await past.eventsOf({ ...asked, ...limits });
  if (!isWhole) throw new TooMuchToFold(MOST_CREATED, 'batches', TOO_MANY_OF_ACTOR);
  return events.map(({ stream }) => stream.slice('batch-'.length));
}

const TOO_MANY_OF_ACTOR = {
  that: `of the actor, within ${WITHIN_MS / 1_000} seconds`,
  instead: 'ask for a shorter range, with since:',
};

/** The position before everything that was created since the time that the search names. */
async function beginningOf(past: Past, { search, now }: Asked): Promise<bigint> {
  const times = search.flatMap((term) =>
    'than' in term && term.field === 'created' && term.bound === '>' ? term.than : [],
  );
  if (times.length === 0) return 0n;
  const at = new Date(Math.max(...times.map((than) => timeOf(than, now))) - 1);
  try {
    return (await past.momentOf({ at })).position;
  } catch (error) {
    if (error instanceof NoSuchMoment) return 0n;
    throw error;
  }
}
