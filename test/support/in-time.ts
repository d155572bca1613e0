import { until } from './until.js';

/**
 * Repeats what takes less than `mostMs` on a quiet machine until it does, because a busy one may need several tries. What is slow by
 * itself is so every time.
 */
export const inTime = (what: string, mostMs: number, measuredMs: () => Promise<number>): Promise<true> =>
  until(`${what} within ${mostMs} ms`, async () => ((await measuredMs()) < mostMs ? true : null));
