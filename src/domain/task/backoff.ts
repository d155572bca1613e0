import type { BackoffPolicy } from './task.commands.js';

/**
 * Whole milliseconds to wait after the `failures`-th failure in a row (1 for the first). Full jitter spreads them evenly
 * from nothing up to the capped delay, so that tasks that failed together do not come back together.
 */
export function backoffMs(policy: BackoffPolicy, failures: number, random: number): number {
  const ceiling = Math.min(policy.capMs, delayMs(policy, failures));
  return Math.floor(policy.jitter === 'full' ? ceiling * random : ceiling);
}

function delayMs({ kind, baseMs, factor }: BackoffPolicy, failures: number): number {
  // Nothing times an infinite power is not a number.
  if (kind === 'fixed' || baseMs === 0) return baseMs;
  return baseMs * factor ** (failures - 1);
}
