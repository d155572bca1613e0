import type { LogKeyView, LogPart, LogView, Receipt, SealView } from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller, CallOptions, CommandOptions } from './caller.js';
import { resumed } from './event-feed.js';
import { isoTime } from './given-options.js';
import { everyItem } from './task-list.js';

export interface SealOptions extends CallOptions {
  readonly cursor?: string;
  /** From 1 to 500. */
  readonly limit?: number;
}

export interface ExportOptions {
  /** The size of the seal whose log to take. */
  readonly size: number;
  /** Only segments with events of this queue. */
  readonly queue?: string;
  /** Only what was recorded from this time on, or from this long ago, such as `24h`. */
  readonly from?: Date | string;
  /** Only what was recorded before this time, or up to this long ago. */
  readonly to?: Date | string;
  /** With the private halves of events; needed if they are in EventStoreDB. */
  readonly private?: boolean;
  /** Only the parts after the one with this position. */
  readonly after?: string;
  readonly signal?: AbortSignal;
}

/** The log as it is sealed. */
export class SealedLog {
  constructor(private readonly caller: Caller) {}

  /** How far it is sealed, and why not further. */
  get(options: CallOptions = {}): Promise<LogView> {
    return this.caller.call('getLog', {}, options);
  }

  /**
   * Accepts that what was sealed is lost, so that the log is sealed as it is now, under the next name. `size`: that of `lost`. The reason stays
   * in the log.
   */
  acceptLoss(size: number, reason: string, options: CommandOptions = {}): Promise<Receipt> {
    assertOptions('acceptLoss', options);
    return this.caller.call('acceptLoss', { body: { size, reason } }, options);
  }

  /** The keys of this log and of those before it, the first one first. Compare them with those that you kept: no verifier should take a key from a service. */
  async keys(options: CallOptions = {}): Promise<readonly LogKeyView[]> {
    return (await this.caller.call('listLogKeys', {}, options)).items;
  }

  /**
   * Retires the key of a log, as `name` of `get` says it. The notary signs the log up to here with it for the last time, and goes on with another
   * key, under the next name. The reason stays in the log.
   */
  newKey(log: string, reason: string, options: CommandOptions = {}): Promise<Receipt> {
    assertOptions('retireLogKey', options);
    return this.caller.call('retireLogKey', { body: { log, reason } }, options);
  }

  /** The seals, the newest first: all of 30 days, and of each day before the last one. Fetches page by page as you iterate. */
  seals(given: SealOptions = {}): AsyncGenerator<SealView> {
    assertOptions('listSeals', given);
    const { cursor: from, limit, ...options } = given;
    return everyItem((cursor) => this.caller.call('listSeals', { query: { cursor, limit } }, options), from);
  }

  /**
   * The log of a seal in parts, each once: after a broken connection, it goes on where it was. In place of segments that were not asked for are the
   * hashes of their leaves, so that all parts together make the root in the seal.
   */
  async *export(given: ExportOptions): AsyncGenerator<LogPart> {
    assertOptions('exportLog', given);
    const { from, to, after, signal, ...query } = given;
    const inputAfter = ({ last }: { readonly last: string | null }) => ({
      query: { ...query, from: isoTime('from', from), to: isoTime('to', to), after: last ?? after },
    });
    yield* resumed<LogPart>(this.caller, { operation: 'exportLog', signal, inputAfter });
  }
}
