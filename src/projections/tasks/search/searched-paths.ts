import type { DataSource } from 'typeorm';
import type { Search, Term } from '../../../domain/search/term.js';
import type { DecidedTasks } from '../decided-tasks.js';
import { RefusedSearch } from './refused-search.js';
import { valuesOf } from './terms-of.js';

/** The queues whose policies name a path now. `version`: of the policy. `now`: as the conditions on tasks count how long ago something was. */
const SEARCHED = `select name, policy_version as version, now() as now from queues
  where policy->'search' @> to_jsonb($1::text) and ($2::text[] is null or name = any ($2)) order by name`;

interface SearchedQueue {
  readonly name: string;
  readonly version: number;
  readonly now: Date;
}

/**
 * Expects every task of the queues that are searched by a payload to be found by it. Throws `RefusedSearch` if their policies do not
 * name the path, or do so only since a time from before which the search wants tasks.
 */
export async function assertSearched(db: DataSource, decided: DecidedTasks, terms: Search): Promise<void> {
  const paths = new Set(terms.flatMap((term) => (term.field === 'payload' ? term.name : [])));
  if (paths.size === 0) return;
  const named = valuesOf(terms, 'queue');
  for (const path of paths) {
    const queues = await db.query<SearchedQueue[]>(SEARCHED, [path, named]);
    const lacking = named?.find((name) => !queues.some((queue) => queue.name === name));
    if (queues.length === 0 || lacking !== undefined) throw unsearched(path, lacking);
    for (const queue of queues) await assertWhole(queue, path, decided, terms);
  }
}

/** The first version of a policy is as old as the queue. */
async function assertWhole(queue: SearchedQueue, path: string, decided: DecidedTasks, terms: Search): Promise<void> {
  const { name, version, now } = queue;
  const since = version === 1 ? null : await decided.searchedSince(name, path);
  if (since !== null && !terms.some((term) => isAfter(term, since, now))) throw unsearchedBefore(name, path, since);
}

const isAfter = (term: Term, since: Date, now: Date): boolean =>
  term.field === 'enqueued' &&
  term.bound === '>' &&
  ('at' in term.than ? term.than.at : new Date(now.getTime() - term.than.ago)) >= since;

const unsearched = (path: string, queue?: string): RefusedSearch =>
  new RefusedSearch(
    `Expected a queue whose policy has '${path}' in 'search' beside payload.${path}, but ${queue === undefined ? 'there is none' : `'${queue}' has not`}`,
  );

const unsearchedBefore = (queue: string, path: string, since: Date): RefusedSearch =>
  new RefusedSearch(
    `Expected since:${since.toISOString()} or later beside payload.${path}, because '${queue}' is searched by it only since then, but there is no such time`,
  );
