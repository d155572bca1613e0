import type { LastSeal } from '../../domain/notary/notary.events.js';

/** What the notary says of a log that does not go on from what it signed. */
export abstract class LostSeals {
  /** What it signed last; null while the log goes on from it. */
  abstract lost(): Promise<LastSeal | null>;
}
