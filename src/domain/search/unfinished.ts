/** What somebody is writing at the end of a search. A suggestion stands in the place of what follows `at`. */
export type Unfinished = Written & ({ readonly is: 'field' } | { readonly is: 'value'; readonly field: string });

interface Written {
  /** What is written of it, without its quote. */
  readonly text: string;
  /** Where it begins in the search, in UTF-16 units. */
  readonly at: number;
  /** The terms before it. */
  readonly before: string;
}

const FIELD = /(?:(?<field>[A-Za-z][^\s:<>",]*)(?<sign>[:<>]))?/u.source;
/** Values that are written, each with a comma behind it. */
const VALUES = /(?<values>(?:(?:[^\s",]+|"(?:[^"\\]|\\["\\])*"),)*)/u.source;
const LAST = /(?<last>[^\s",]*|"(?:[^"\\]|\\["\\])*)/u.source;
const END = new RegExp(`(?<=^|\\s)${FIELD}${VALUES}${LAST}$`, 'u');

/** Null where nothing can be suggested: in a word, behind a term that has ended, or where the text is no search. */
export function unfinishedIn(search: string): Unfinished | null {
  const found = END.exec(search);
  if (!found) return null;
  const { field, sign, values = '', last = '' } = found.groups!;
  const text = last.startsWith('"') ? last.slice(1).replaceAll(/\\(.)/gu, '$1') : last;
  const written = { text, at: search.length - last.length, before: search.slice(0, found.index).trimEnd() };
  if (field !== undefined) return sign === ':' ? { is: 'value', field, ...written } : null;
  return values === '' && last === text ? { is: 'field', ...written } : null;
}

/** What must stand in quotes. */
const SPECIAL = /[\s",]|^$|\*$/u;

/** A value as it is written in a search. */
export const writtenValue = (text: string): string =>
  SPECIAL.test(text) ? `"${text.replaceAll(/["\\]/gu, '\\$&')}"` : text;
