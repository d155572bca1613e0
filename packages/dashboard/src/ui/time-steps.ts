const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
const OF_CLOCK = [1, 2, 5, 10, 15, 30];
const of = (unit: number, counts: readonly number[]): number[] => counts.map((count) => count * unit);

/** Times between the marks of an axis in which people count, in milliseconds, the shortest first: `15 min` instead of `16 min 40 s`. */
export const TIME_STEPS: readonly number[] = [
  ...of(1, [1, 2, 5, 10, 20, 50, 100, 200, 500]),
  ...of(SECOND, OF_CLOCK),
  ...of(MINUTE, OF_CLOCK),
  ...of(HOUR, [1, 2, 3, 6, 12]),
  ...of(DAY, [1, 2, 5, 10, 20, 50, 100, 200, 500]),
];
