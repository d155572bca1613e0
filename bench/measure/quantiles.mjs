/** The value that a `share` (0 to 1) of the values do not exceed. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

export const median = (values) => quantile(values, 0.5);

/** The median of each value of the rounds; null for those that were not measured. */
export const mediansOf = (rounds) =>
  Object.fromEntries(
    Object.keys(rounds[0]).map((name) => [
      name,
      rounds[0][name] === null ? null : median(rounds.map((round) => round[name])),
    ]),
  );

/** Rounded to a few digits, for people. */
export const rounded = (value) => Number(value >= 100 ? value.toFixed(0) : value.toPrecision(3));
