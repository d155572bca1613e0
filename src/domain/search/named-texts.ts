import { parseSearch } from './parse-search.js';
import type { Search } from './term.js';

/** The members of a filter of tasks whose values people choose. */
const NAMED = ['key', 'reference'] as const;

/** The texts by which a filter may name whom its tasks are about: the value of a label (`name:value`), a key, a reference, and the values of its search. */
export function namedTextsIn(filter: Readonly<Record<string, string>> = {}): readonly string[] {
  const { label, q } = filter;
  return [
    ...NAMED.flatMap((name) => filter[name] ?? []),
    ...(label === undefined ? [] : [label.slice(label.indexOf(':') + 1)]),
    ...(q === undefined ? [] : searchedIn(q)),
  ];
}

const searchedIn = (q: string): readonly string[] =>
  read(q).flatMap((term) => ('values' in term ? term.values.map(({ text }) => text) : []));

/** An earlier build may have known another syntax. */
function read(q: string): Search {
  try {
    return parseSearch(q);
  } catch {
    return [];
  }
}
