import { CATEGORIES } from '../../../domain/aggregates.js';

/** Holds the store's name. It is not part of the log that readers see. */
export const STORE_STREAM = 'waybill-store';

/** Maps our stream names to those in the store, which other programs may use too. */
export class StreamNames {
  /** The names of all our streams begin with one of these. */
  readonly prefixes: readonly string[];

  constructor(private readonly prefix: string) {
    this.prefixes = CATEGORIES.map((category) => `${prefix}${category}-`);
  }

  stored(stream: string): string {
    return this.prefix + stream;
  }

  /** Our name of a stored stream; null if it is not ours. */
  own(stored: string): string | null {
    return this.prefixes.some((prefix) => stored.startsWith(prefix)) ? stored.slice(this.prefix.length) : null;
  }
}
