import type { IsoTime } from '../kernel/json.js';

interface Interval {
  /** Seconds. */
  readonly every: number;
}

/** The first look of a trigger into its queue: at once. */
export const firstLook = (now: IsoTime): IsoTime => iso(floor(Date.parse(now), 1));

/**
 * The first look after `at`: a whole number of intervals after the look `from`. The first interval is shorter by up to a
 * tenth, because looks keep step with those of other triggers.
 */
export function lookAfter(interval: Interval, from: IsoTime, at: IsoTime): IsoTime {
  const [begin, ms] = [floor(Date.parse(from), stepOf(interval)), interval.every * 1_000];
  const intervals = Math.floor(Math.max(0, Date.parse(at) - begin) / ms) + 1;
  return iso(begin + intervals * ms);
}

/** Seconds: a tenth of the interval at most, and a divisor of it, so that later intervals are whole. */
const stepOf = ({ every }: Interval): number =>
  [5, 4, 3, 2].find((step) => every % step === 0 && every >= 10 * step) ?? 1;

const floor = (ms: number, seconds: number): number => ms - (ms % (seconds * 1_000));

const iso = (ms: number): IsoTime => new Date(ms).toISOString();
