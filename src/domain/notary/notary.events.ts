import { event, type EventsOf } from '../kernel/event-declaration.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

/** What the notary signed last of a log that does not go on. */
export interface LastSeal {
  /** The name of the log. */
  readonly log: string;
  /** Leaves. */
  readonly size: number;
  /** The root of its tree, in Base64. */
  readonly root: string;
  /** A signed note (c2sp.org/tlog-checkpoint). */
  readonly seal: string;
}

/** A key of the notary. */
export interface LogKey {
  /** The name of the log that it signs. */
  readonly log: string;
  /** As verifiers take it (c2sp.org/signed-note). */
  readonly publicKey: string;
}

export const NOTARY_EVENTS = {
  /** What was sealed is not the beginning of this log any more, and somebody said why. From here on the log is sealed under the name `next`. */
  LogLossAccepted: event<LastSeal & { readonly next: string }>({ version: 1, effects: [], command: 'single' }),
  /** The key signs the log up to this event, and nothing more. From here on the log is sealed under the name `next`, with a key of its own. */
  NotaryKeyRetired: event<LogKey & { readonly next: string }>({ version: 1, effects: [], command: 'single' }),
};

export type NotaryEvent = EventsOf<typeof NOTARY_EVENTS>;
