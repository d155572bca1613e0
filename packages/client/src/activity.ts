import type { ActivityItem, ActivityPage } from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller, CallOptions } from './caller.js';
import { isoTime } from './given-options.js';
import { everyItem } from './task-list.js';

/** Which commands to show, and in which order. */
export interface ActivityOptions extends CallOptions {
  /** From this time on, or from this long ago, such as `24h`. */
  readonly since?: Date | string;
  /** Up to this time, or up to this long ago. */
  readonly until?: Date | string;
  readonly actor?: string;
  readonly category?: ActivityItem['category'];
  /** The event that the command caused. */
  readonly type?: ActivityItem['type'];
  readonly queue?: string;
  /** Only what was decided by this version of the queue's policy. */
  readonly policyVersion?: number;
  /** What comes first; the newest if absent. */
  readonly order?: 'newest' | 'oldest';
  readonly cursor?: string;
  readonly limit?: number;
}

/** What people did. Fetches page by page as you iterate; a page may be empty and others follow. */
export async function* activityOf(caller: Caller, options: ActivityOptions = {}): AsyncGenerator<ActivityItem> {
  assertOptions('listActivity', options);
  yield* everyItem((cursor) => activityPage(caller, { ...options, ...(cursor && { cursor }) }), options.cursor);
}

export function activityPage(caller: Caller, given: ActivityOptions = {}): Promise<ActivityPage> {
  assertOptions('listActivity', given);
  const { since, until, actor, category, type, queue, policyVersion, order, cursor, limit, ...options } = given;
  const filter = { actor, category, type, queue, policyVersion, order, cursor, limit };
  const range = { since: isoTime('since', since), until: isoTime('until', until) };
  return caller.call('listActivity', { query: { ...filter, ...range } }, options);
}
