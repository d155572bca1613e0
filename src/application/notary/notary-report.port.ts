import type { LastSeal, LogKey } from '../../domain/notary/notary.events.js';

/** What the notary says of itself. */
export abstract class NotaryReport {
  /** What it signed last, of a log that does not go on from that; null while it does. */
  abstract lost(): Promise<LastSeal | null>;

  /** The key with which it seals the log; null before there is one, and while the log does not go on from what it signed. */
  abstract key(): Promise<LogKey | null>;
}
