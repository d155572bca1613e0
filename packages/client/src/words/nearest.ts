/** The name that was probably meant; null if none is like it. */
export function nearestTo(given: string, names: readonly string[]): string | null {
  const most = Math.ceil(given.length / 2);
  const [nearest] = names
    .map((name) => ({ name, letters: lettersBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ letters }) => letters <= most)
    .toSorted((one, other) => one.letters - other.letters);
  return nearest?.name ?? null;
}

/** How many letters must be added, left out or changed (the Levenshtein distance). */
export function lettersBetween(given: string, name: string): number {
  let row = Array.from({ length: name.length + 1 }, (_, at) => at);
  for (const [index, letter] of Array.from(given).entries()) {
    const next = [index + 1];
    for (let at = 1; at <= name.length; at++)
      next.push(Math.min(row[at]! + 1, next[at - 1]! + 1, row[at - 1]! + (name[at - 1] === letter ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
