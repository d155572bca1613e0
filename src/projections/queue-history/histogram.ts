/**
 * The bins of every histogram of durations, the same for ever, so that histograms add up. Bin 0 counts 0 ms, bin n the
 * durations from 2^(n-1) ms to below 2^n, and the last one everything from 2^30 ms (12 days) on.
 */
export const BINS = 32;

/** The bin of a number of milliseconds. */
export const binOf = (ms: number): number => (ms >= 2 ** (BINS - 2) ? BINS - 1 : 32 - Math.clz32(ms));

const lowest = (bin: number): number => (bin === 0 ? 0 : 2 ** (bin - 1));

/**
 * The duration below which a share of the counted ones lies, to within the width of a bin, and no more than `max`; null
 * if none was counted. Durations within a bin count as evenly spread.
 */
export function quantile(share: number, bins: readonly number[], max: number): number | null {
  const total = bins.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let below = 0;
  for (const [bin, count] of bins.entries()) {
    if (count > 0 && below + count >= wanted) return Math.min(max, within(bin, (wanted - below) / count));
    below += count;
  }
  return max;
}

const within = (bin: number, share: number): number =>
  Math.round(lowest(bin) + share * (lowest(bin + 1) - lowest(bin)));
