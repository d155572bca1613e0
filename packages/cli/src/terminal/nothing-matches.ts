/** Says that nothing matches, and repeats the filter, so that a typing error shows. */
export function nothingMatches(what: string, filter: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [`${name} '${value}'`]));
  return given.length === 0 ? `There is no ${what} yet.` : `No ${what} matches ${given.join(', ')}.`;
}
