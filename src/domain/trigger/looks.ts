import type { IsoTime } from '../kernel/json.js';

/** The first look of a trigger into its queue: at once. Whole seconds let many triggers look together. */
export const firstLook = (now: IsoTime): IsoTime => iso(Math.floor(Date.parse(now) / 1_000) * 1_000);

/** The first look after `at`: a whole number of intervals, of `every` seconds each, after the look `from`. */
export function lookAfter({ every }: { readonly every: number }, from: IsoTime, at: IsoTime): IsoTime {
  const [begin, ms] = [Date.parse(from), every * 1_000];
  const intervals = Math.floor(Math.max(0, Date.parse(at) - begin) / ms) + 1;
  return iso(begin + intervals * ms);
}

const iso = (ms: number): IsoTime => new Date(ms).toISOString();
