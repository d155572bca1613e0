import { parseSearch } from './parse-search.js';
import type { Term } from './term.js';

/** The same search with an instant in the place of each 'so long ago', for what is carried out later. Throws `SearchError`. */
export const withFixedTimes = (text: string, now: Date): string =>
  rewritten(text, (term) => {
    if (!('than' in term) || 'at' in term.than) return null;
    return `${term.field}${term.bound}${new Date(now.getTime() - term.than.ago).toISOString()}`;
  });

/** The same search with other names of queues. Throws `SearchError`. */
export const withQueues = (text: string, name: (queue: string) => string): string =>
  rewritten(text, (term) => {
    if (term.field !== 'queue') return null;
    return `queue:${term.values.map(({ text }) => quoted(name(text))).join(',')}`;
  });

/** With what `instead` returns in the place of each term; null leaves it. */
function rewritten(text: string, instead: (term: Term) => string | null): string {
  let changed = text;
  for (const term of parseSearch(text).toReversed()) {
    const other = instead(term);
    if (other !== null) changed = `${changed.slice(0, term.at)}${other}${changed.slice(term.end)}`;
  }
  return changed;
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/gu, '\\$&')}"`;
