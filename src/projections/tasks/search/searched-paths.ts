import type { DataSource } from 'typeorm';
import type { Search, Term } from '../../../domain/search/term.js';
import type { DecidedTasks } from '../decided-tasks.js';
import { RefusedSearch } from './refused-search.js';
import { valuesOf } from './terms-of.js';

/** The queues whose policies name a path now. `version`: of the policy. */
const SEARCHED = `select name, policy_version as version from queues
  where policy->'search' @> to_jsonb($1::text) and ($2::text[] is null or name = any ($2)) order by name`;

interface SearchedQueue {
  readonly name: string;
  readonly version: number;
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
  const since = queue.version === 1 ? null : await decided.searchedSince(queue.name, path);
  if (since !== null && !terms.some((term) => isAfter(term, since))) throw unsearchedBefore(queue.name, path, since);
}

const isAfter = (term: Term, since: Date): boolean =>
  term.field === 'enqueued' &&
  term.bound === '>' &&
  ('at' in term.than ? term.than.at >= since : Date.now() - term.than.ago >= since.getTime());

const unsearched = (path: string, queue?: string): RefusedSearch =>
  new RefusedSearch(
    `Expected a queue whose policy has '${path}' in 'search' beside payload.${path}, but ${queue === undefined ? 'there is none' : `'${queue}' has not`}`,
  );

const unsearchedBefore = (queue: string, path: string, since: Date): RefusedSearch =>
  new RefusedSearch(
    `Expected since:${since.toISOString()} or later beside payload.${path}, because '${queue}' is searched by it only since then, but there is no such time`,
  );
