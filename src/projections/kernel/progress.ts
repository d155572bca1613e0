import type { ProgressBar } from '../../domain/kernel/progress-bar.js';

export type { ProgressBar };

export interface Progress {
  readonly attempt: number;
  readonly bars: readonly ProgressBar[];
}

/** Far below a percent, and above what fractions lose: 0.29 of 100 would be 28. */
const ROUNDING = 1e-9;

/** The mean of the bars, rounded down to whole percents, so that only finished work shows 100; null without bars. */
export function percentOf(bars: readonly ProgressBar[]): number | null {
  if (bars.length === 0) return null;
  const total = bars.reduce((sum, bar) => sum + fractionOf(bar), 0);
  return Math.floor((100 * total) / bars.length + ROUNDING);
}

/** A bar without extent has nothing to do. A bar may also count down. */
function fractionOf({ start, end, position }: ProgressBar): number {
  if (start === end) return 1;
  return Math.min(1, Math.max(0, (position - start) / (end - start)));
}
