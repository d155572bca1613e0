import { CATEGORIES } from '../../../domain/events.js';

/** What our streams are called in a store that others may use too. */
export class StreamNames {
  /** Every stream of ours begins with one of these. */
  readonly prefixes: readonly string[];

  constructor(private readonly prefix: string) {
    this.prefixes = CATEGORIES.map((category) => `${prefix}${category}-`);
  }

  stored(stream: string): string {
    return this.prefix + stream;
  }

  /** Our name of a stored stream; null where it is not ours. */
  own(stored: string): string | null {
    return this.prefixes.some((prefix) => stored.startsWith(prefix)) ? stored.slice(this.prefix.length) : null;
  }
}
