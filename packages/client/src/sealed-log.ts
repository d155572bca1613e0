import type { LogView, SealView } from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller, CallOptions } from './caller.js';
import { everyItem } from './task-list.js';

export interface SealOptions extends CallOptions {
  readonly cursor?: string;
  /** From 1 to 500. */
  readonly limit?: number;
}

/** The log as it is sealed. */
export class SealedLog {
  constructor(private readonly caller: Caller) {}

  /** How far it is sealed, and why not further. */
  get(options: CallOptions = {}): Promise<LogView> {
    return this.caller.call('getLog', {}, options);
  }

  /** Every seal, the newest first. Fetches page by page as you iterate. */
  seals(given: SealOptions = {}): AsyncGenerator<SealView> {
    assertOptions('listSeals', given);
    const { cursor: from, limit, ...options } = given;
    return everyItem((cursor) => this.caller.call('listSeals', { query: { cursor, limit } }, options), from);
  }
}
