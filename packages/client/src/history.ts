import type { EventPage, EventView } from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller, ReadOptions } from './caller.js';
import { isoTime } from './given-options.js';
import { readQuery } from './read-query.js';
import { everyItem } from './task-list.js';
import type { QueryValue } from './transport.js';

/** Which events of one thing to show, and in which range of time. */
export interface HistoryFilter {
  readonly actor?: string;
  readonly type?: string;
  /** From this time on, or from this long ago, such as `24h`. */
  readonly since?: Date | string;
  /** Up to this time, or up to this long ago. */
  readonly until?: Date | string;
}

export interface HistoryOptions extends HistoryFilter, ReadOptions {
  readonly cursor?: string | undefined;
  /** From 1 to 500 events a page. */
  readonly limit?: number;
}

/** The operations that show the history of one thing. */
export type HistoryOperation =
  | 'getQueueHistory'
  | 'getBatchHistory'
  | 'getTriggerHistory'
  | 'getHoldHistory'
  | 'getResourceHistory'
  | 'getSystemHistory';

/** What the operation shows, and as of which moment, now if there is none. */
export interface HistoryOf {
  readonly operation: HistoryOperation;
  readonly path?: Readonly<Record<string, string>>;
  readonly moment?: Readonly<Record<string, QueryValue>>;
}

/** Everything that happened to it, the oldest first. Fetches page by page as you iterate; all pages are of one position. */
export async function* historyOf(
  caller: Caller,
  of: HistoryOf,
  options: HistoryOptions = {},
): AsyncGenerator<EventView> {
  assertOptions(of.operation, options);
  yield* everyItem((cursor) => historyPage(caller, of, { ...options, cursor }), options.cursor);
}

/** One page. Its `asOf` names the position. */
export function historyPage(
  caller: Caller,
  { operation, path = {}, moment = {} }: HistoryOf,
  given: HistoryOptions = {},
): Promise<EventPage> {
  const { actor, type, since, until, cursor, limit, minPosition, ...options } = given;
  const range = { since: isoTime('since', since), until: isoTime('until', until) };
  const query = { ...readQuery({ minPosition }), ...moment, actor, type, ...range, cursor, limit };
  return caller.call(operation, { path, query }, options);
}
