import type { LeftOut } from '@waybill/contracts';
import { count, plural } from './numbers.js';

/** `3 occurrences from ... to ...`: how many made no task, and which. */
export function occurrences({ count: many, atLeast, from, to }: LeftOut): string {
  if (many === 1) return `the occurrence of ${from}`;
  return `${atLeast ? `more than ${count(many)} occurrences` : plural(many, 'occurrence')} from ${from} to ${to}`;
}
