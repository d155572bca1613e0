import type { ProgressBar } from '@waybill/contracts';
import { count } from './numbers.js';

/** How full a bar is, from 0 to 1. A bar without extent has nothing to do, and a bar may count down. */
export function fractionOf({ start, end, position }: ProgressBar): number {
  if (start === end) return 1;
  return Math.min(1, Math.max(0, (position - start) / (end - start)));
}

/** `70 of 120`; `90 from 70 to 120` if the bar does not start at 0. */
export function amountsOf({ start, end, position }: ProgressBar): string {
  return start === 0
    ? `${amount(position)} of ${amount(end)}`
    : `${amount(position)} from ${amount(start)} to ${amount(end)}`;
}

const amount = (value: number): string => (Number.isInteger(value) ? count(value) : String(value));
