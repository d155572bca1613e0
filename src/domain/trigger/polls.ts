import type { IsoTime } from '../kernel/json.js';

interface Interval {
  /** Seconds. */
  readonly every: number;
}

/** The first poll of a trigger that watches a queue: at once. */
export const firstPoll = (now: IsoTime): IsoTime => iso(floor(Date.parse(now), 1));

/**
 * The first poll after `at`: a whole number of intervals after the poll `from`, which counts as one at
 * the last multiple of a step before it. So the polls of many triggers fall into the same few seconds, and one round of the sweeper
 * serves them. The step is a tenth of the interval at most, so only the first interval is shorter, by up to a tenth.
 */
export function pollAfter(interval: Interval, from: IsoTime, at: IsoTime): IsoTime {
  const [begin, ms] = [floor(Date.parse(from), stepOf(interval)), interval.every * 1_000];
  const intervals = Math.floor(Math.max(0, Date.parse(at) - begin) / ms) + 1;
  return iso(begin + intervals * ms);
}

/** Seconds: a tenth of the interval at most, and a divisor of it, so that later intervals are whole. */
const stepOf = ({ every }: Interval): number =>
  [5, 4, 3, 2].find((step) => every % step === 0 && every >= 10 * step) ?? 1;

const floor = (ms: number, seconds: number): number => ms - (ms % (seconds * 1_000));

const iso = (ms: number): IsoTime => new Date(ms).toISOString();
