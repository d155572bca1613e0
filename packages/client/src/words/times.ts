import { UNITS_OF_TIME } from './numbers.js';

/** How long a time is away from now: `4 min ago`, `in 2 h`, `now`. One unit, because it changes while it is read. */
export function relativeTime(at: number, now: number): string {
  const away = Math.abs(now - at);
  if (away < 1_500) return 'now';
  const [unit, size] = UNITS_OF_TIME.find(([, length]) => away >= length) ?? UNITS_OF_TIME.at(-1)!;
  const text = `${Math.floor(away / size)} ${unit}`;
  return at > now ? `in ${text}` : `${text} ago`;
}
