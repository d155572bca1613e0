/** That there is nothing, and what was asked for: what is mistyped is seen here. */
export function nothingMatches(what: string, filter: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [`${name} '${value}'`]));
  return given.length === 0 ? `There is no ${what} yet.` : `No ${what} matches ${given.join(', ')}.`;
}
