import type { ChangesPage, ChangesSum, TaskChange } from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller, CallOptions } from './caller.js';
import { isoTime } from './given-options.js';
import { everyItem } from './task-list.js';

/** Two moments, each a time, how long ago (such as `24h`), or a position of the log. */
export interface ChangesSumOptions extends CallOptions {
  /** A time before the first event stands for the beginning. */
  readonly since: Date | string;
  /** Now if absent. */
  readonly until?: Date | string;
  /** Only tasks of this queue. If absent, of all queues but those of the service itself. */
  readonly queue?: string;
}

export interface ChangesOptions extends ChangesSumOptions {
  /** Only tasks of this batch. */
  readonly batch?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** What differs. Fetches page by page as you iterate, all of the same two moments; a page may be empty and others follow. */
export async function* changesOf(caller: Caller, options: ChangesOptions): AsyncGenerator<TaskChange> {
  assertOptions('listChanges', options);
  yield* everyItem((cursor) => changesPage(caller, { ...options, ...(cursor && { cursor }) }), options.cursor);
}

export function changesPage(caller: Caller, given: ChangesOptions): Promise<ChangesPage> {
  assertOptions('listChanges', given);
  const { since, until, queue, batch, cursor, limit, ...options } = given;
  const query = { since: isoTime('since', since), until: isoTime('until', until), queue, batch, cursor, limit };
  return caller.call('listChanges', { query }, options);
}

export function changesSum(caller: Caller, given: ChangesSumOptions): Promise<ChangesSum> {
  assertOptions('sumChanges', given);
  const { since, until, queue, ...options } = given;
  const query = { since: isoTime('since', since), until: isoTime('until', until), queue };
  return caller.call('sumChanges', { query }, options);
}
