import type { Rate } from '@waybill/contracts';

/** The longest first, as `rateText` wants them. */
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** A rate as people type it: `5/s`, or `100/10m`. Null if it is none. `burst`: as many as in its time if absent. */
export function rateOf(text: string, burst?: number): Rate | null {
  const [, starts, times = '1', name] = /^([1-9]\d{0,6})\/([1-9]\d{0,7})?(ms|[smhd])$/.exec(text) ?? [];
  const unit = UNITS.find(([of]) => of === name);
  return unit ? { starts: Number(starts), perMs: Number(times) * unit[1], burst: burst ?? Number(starts) } : null;
}

/** `5/s, 20 at once`. */
export function rateText({ starts, perMs, burst }: Rate): string {
  const [name, ms] = UNITS.find(([, of]) => perMs % of === 0)!;
  return `${starts}/${perMs === ms ? '' : perMs / ms}${name}, ${burst} at once`;
}
