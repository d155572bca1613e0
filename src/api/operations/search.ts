import { type BatchSearch, parseBatchSearch } from '../../domain/search/batch-search.js';
import { parseSearch } from '../../domain/search/parse-search.js';
import { withFixedTimes } from '../../domain/search/rewritten.js';
import { SearchError } from '../../domain/search/search-error.js';
import type { Search } from '../../domain/search/term.js';
import { InvalidInput } from '../input/invalid-input.js';

/** Reads the search of a request. Throws `InvalidInput`. */
export const searchIn = (text: string, pointer: string): Search => refusing(pointer, () => parseSearch(text));

/** Reads the search of batches in a query. Throws `InvalidInput`. */
export const batchSearchIn = (text: string): BatchSearch => refusing('#/query/q', () => parseBatchSearch(text));

/** The search as it is carried out later. Throws `InvalidInput`. */
export const fixedSearch = (text: string, now: Date, pointer: string): string =>
  refusing(pointer, () => withFixedTimes(text, now));

/** The queues that a request names, in its own field and in its search; those of all are undefined. */
export function queuesOfSearch({ queue, q }: { queue?: string; q?: string }): readonly (string | undefined)[] {
  const named = q === undefined ? [] : namedIn(q);
  return queue === undefined && named.length > 0 ? named : [queue, ...named];
}

/** A search that cannot be read names none, and is refused later. */
function namedIn(text: string): readonly string[] {
  try {
    return parseSearch(text).flatMap((term) => (term.field === 'queue' ? term.values.map(({ text }) => text) : []));
  } catch (error) {
    if (error instanceof SearchError) return [];
    throw error;
  }
}

function refusing<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SearchError) throw new InvalidInput([{ pointer, detail: error.message }]);
    throw error;
  }
}
