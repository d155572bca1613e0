const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** How long a time is away from now: `4 min ago`, `in 2 h`, `now`. One unit, because it changes while it is read. */
export function relativeTime(at: number, now: number): string {
  const away = Math.abs(now - at);
  if (away < 1_500) return 'now';
  const [unit, size] = UNITS.find(([, length]) => away >= length) ?? UNITS.at(-1)!;
  const text = `${Math.floor(away / size)} ${unit}`;
  return at > now ? `in ${text}` : `${text} ago`;
}
