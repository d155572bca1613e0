/** What the gauge of a resource shows; null if nobody has measured it lately, so that it is short of everything. */
export type Level = number | null;

const isBelow = (level: Level, limit: number): boolean => level !== null && level < limit;

/** The limits that a resource falls short of, and those that it is free of again, if its level changes. */
export const crossings = (from: Level, to: Level, limits: readonly number[]) => ({
  short: limits.filter((limit) => isBelow(from, limit) && !isBelow(to, limit)),
  free: limits.filter((limit) => !isBelow(from, limit) && isBelow(to, limit)),
});

/** The limits that a level does not satisfy. */
export const unmetBy = (level: Level, limits: readonly number[]): readonly number[] =>
  limits.filter((limit) => !isBelow(level, limit));
