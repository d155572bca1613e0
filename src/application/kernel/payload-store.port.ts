import { createHash } from 'node:crypto';

/** Where a payload is: of which task, the SHA-256 of its text in hex, and the day, in UTC, on which it was stored. */
export interface PayloadPlace {
  readonly task: string;
  readonly sha256: string;
  readonly day: string;
}

/**
 * Where payloads are that are too large for the log. Each belongs to one task and is named by the SHA-256 of its text, so tasks with the
 * same payload have one each, and what is erased of one task is no other's. A store has the mark of its log, by which it is told from an empty one
 * in its place, such as the folder of a disk that is not there. Each method throws `PayloadStoreUnavailable` if the store does not answer.
 */
export abstract class PayloadStore {
  /** Resolves once the text would survive a loss of power. Storing the same again changes nothing. */
  abstract put(place: PayloadPlace, text: string): Promise<void>;

  /** The bytes of the text, of a longer one only `atMost` and one more. Null if there is none, but the mark: without both, the store does not answer. */
  abstract get(place: PayloadPlace, atMost: number): Promise<Buffer | null>;

  /** Also what a write that was interrupted left there. Deleting nothing is no error. */
  abstract delete(place: PayloadPlace): Promise<void>;

  /** The first places behind `after` that are of days before `before`, in the order of day, task and digest. */
  abstract list(after: PayloadPlace | null, before: string, limit: number): Promise<readonly PayloadPlace[]>;

  /** The id of the log whose mark this store has; null if it has none. */
  abstract owner(): Promise<string | null>;

  /** Gives the store the mark of this log, unless it has one. */
  abstract mark(log: string): Promise<void>;

  /** Why nothing can be stored; null if it can, as far as a look without a change tells. Never throws. */
  abstract fault(): Promise<string | null>;
}

/** As `PayloadPlace` names it. */
export const digestOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

export class PayloadStoreUnavailable extends Error {
  override readonly name = 'PayloadStoreUnavailable';
}
