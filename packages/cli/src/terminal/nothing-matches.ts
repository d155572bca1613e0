/**
 * Says that nothing matches, and repeats the filter, so that a typing error shows. `maker`: the command that makes one, told
 * where there is none at all.
 */
export function nothingMatches(
  what: string,
  filter: Readonly<Record<string, string | number | undefined>>,
  maker?: string,
): string {
  const given = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [`${name} '${value}'`]));
  const making = maker === undefined ? '' : ` '${maker}' makes one.`;
  return given.length === 0 ? `There is no ${what} yet.${making}` : `No ${what} matches ${given.join(', ')}.`;
}
