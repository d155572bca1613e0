import type { DataSource } from 'typeorm';
import type { Search, Term } from '../../../domain/search/term.js';
import type { TaskStatus } from '../../../domain/task/task.events.js';
import { HistoryNotReady } from '../../kernel/past.port.js';
import { isRare } from '../../kernel/rare-states.js';
import type { DecidedTasks } from '../decided-tasks.js';
import type { TaskFilter } from '../task-filter.js';
import { conditionOf } from './conditions.js';
import { type Fragment, numbered } from '../../kernel/fragment.js';
import { lookupOf } from './lookups.js';
import { RefusedSearch } from './refused-search.js';
import { assertSearched } from './searched-paths.js';
import { isOfFailures, termsOf, valuesOf } from './terms-of.js';

/**
 * Up to so many tasks are found by the index of a term and looked at one by one. If there are more, walking through the list fills
 * a page soon, because many of its tasks match.
 */
export const MOST_FOUND = 10_000;

/** How a list is read: the tasks of a few ids, or those that an index has in the order of the list, a bounded number for a page. */
export interface SearchPlan {
  /** The only tasks that may match; null: any. */
  readonly among: readonly string[] | null;
  /** What the index in the order of the list answers. */
  readonly walk: readonly Fragment[];
  /** What is looked up in each row. */
  readonly checks: readonly Fragment[];
}

/** No index has few tasks for any term of a search. */
export class UnboundedSearch extends RefusedSearch {
  override readonly name = 'UnboundedSearch';

  constructor(search: Search) {
    super(
      `Expected queue:, state: (but succeeded), id:, key:, reference:, label.NAME:, payload.PATH:, batch:, error:, step: or a range of at most ${MOST_FOUND.toLocaleString('en')} tasks, such as since:1h, ` +
        `beside ${namesIn(search)}, but there is none, so every task would be read`,
    );
  }
}

const namesIn = (search: Search): string => [...new Set(search.map(({ field }) => field))].join(', ');

/** Throws `RefusedSearch`, and what `DecidedTasks` does. */
export async function searchPlan(db: DataSource, decided: DecidedTasks, filter: TaskFilter): Promise<SearchPlan> {
  const terms = termsOf(filter);
  await assertSearched(db, decided, terms);
  const walked = walkOf(terms, filter);
  const rest = terms.filter((term) => !walked.includes(term));
  const logged = await decided.of(filter, terms);
  const among =
    logged ?? (await fewOf(db, rest, terms)) ?? (await enqueued(decided, rest, { terms, isWalked: walked.length > 0 }));
  if (among === null && filter.search && isUnbounded(walked, rest, terms)) throw new UnboundedSearch(filter.search);
  return { among, walk: walked.map(walkCondition), checks: rest.flatMap((term) => conditionOf(term) ?? []) };
}

/** The conditions alone, for a list that is read in another way. */
export const rowConditions = (filter: TaskFilter): SearchPlan => ({
  among: null,
  walk: termsOf(filter).flatMap((term) => conditionOf(term) ?? []),
  checks: [],
});

/** The terms that an index answers which has the tasks in the order of the list. */
function walkOf(terms: Search, { sort }: TaskFilter): Search {
  const queue = single(terms, 'queue');
  if (sort === 'deadline') return queue;
  if (isOfFailures(terms)) return [...queue, terms.find(({ field }) => field === 'state')!];
  const batch = single(terms, 'batch');
  if (batch.length > 0 || queue.length === 0) return batch;
  const state = single(terms, 'state');
  const isOfRare = state.length > 0 && isRare(valuesOf(state, 'state')![0] as TaskStatus);
  const step = single(terms, 'step');
  return [...queue, ...(isOfRare ? state : step)];
}

/** The first term of the field, if it has one value. */
function single(terms: Search, field: 'queue' | 'batch' | 'state' | 'step'): Search {
  const isSingle = valuesOf(terms, field)?.length === 1;
  return isSingle ? [terms.find((term) => term.field === field)!] : [];
}

/** Repeats the condition of the partial index, so that the planner can use it. */
function walkCondition(term: Term): Fragment {
  const condition = conditionOf(term)!;
  const states = valuesOf([term], 'state');
  const isOfRare = states?.length === 1 && isRare(states[0] as TaskStatus);
  return isOfRare ? (bind) => `${condition(bind)} and t.rare_state = ${bind(states[0])}` : condition;
}

/** The tasks of the first term of which there are few; null if there is none. */
async function fewOf(db: DataSource, rest: Search, all: Search): Promise<readonly string[] | null> {
  for (const lookup of rest.flatMap((term) => lookupOf(term, all) ?? [])) {
    const [sql, values] = numbered((bind) => `select id from (${lookup(bind)}) as found limit ${MOST_FOUND + 1}`);
    const found = await db.query<{ id: string }[]>(sql, [...values]);
    if (found.length <= MOST_FOUND) return found.map(({ id }) => id);
  }
  return null;
}

/** The log finds them, if it has been read so far. */
async function enqueued(
  decided: DecidedTasks,
  rest: Search,
  { terms, isWalked }: { readonly terms: Search; readonly isWalked: boolean },
): Promise<readonly string[] | null> {
  if (!rest.some(({ field }) => field === 'enqueued')) return null;
  const queue = valuesOf(terms, 'queue');
  try {
    return await decided.enqueued(terms, queue?.length === 1 ? queue[0] : undefined, isWalked);
  } catch (error) {
    if (error instanceof HistoryNotReady) return null;
    throw error;
  }
}

const isUnbounded = (walked: Search, rest: Search, all: Search): boolean =>
  rest.length > 0 && walked.length === 0 && !rest.some((term) => lookupOf(term, all) !== null);
