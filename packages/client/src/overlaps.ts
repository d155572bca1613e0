import type { OverlapPage } from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller } from './caller.js';
import { isoTime } from './given-options.js';
import { readQuery } from './read-query.js';
import type { PageOptions } from './task-list.js';

export interface OverlapOptions extends PageOptions {
  readonly queue?: string;
  /** From this time on, or from this long ago, such as `24h`, the default. */
  readonly from?: Date | string;
  /** Up to this time, or up to this long ago; until now if absent. */
  readonly to?: Date | string;
}

/** A page of the attempts that overlapped with the next one of their task. */
export function overlapsOf(caller: Caller, given: OverlapOptions): Promise<OverlapPage> {
  assertOptions('listOverlaps', given);
  const { queue, from, to, cursor, limit, ...options } = given;
  const range = { from: isoTime('from', from), to: isoTime('to', to) };
  return caller.call('listOverlaps', { query: { ...readQuery(given), queue, ...range, cursor, limit } }, options);
}
