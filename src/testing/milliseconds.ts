import { type Duration } from '@waybill/client';
import { DURATION, sinceOf } from '../domain/kernel/since.js';

/** Throws `TypeError` for what is no duration. */
export function millisecondsOf(duration: Duration): number {
  const ms = typeof duration === 'number' ? duration : textMs(duration);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new TypeError(
    `Expected a duration, such as '5m' or a whole number of milliseconds, but it is '${String(duration)}'`,
  );
}

function textMs(duration: string): number {
  const since = DURATION.test(duration) ? sinceOf(duration) : null;
  return since !== null && 'ago' in since ? since.ago : NaN;
}
