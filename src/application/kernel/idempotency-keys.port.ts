import type { IdempotencyKey } from './event-store.port.js';

/** An answer that recorded no event, with the state of the stream that it is about. */
export interface UnrecordedAnswer extends IdempotencyKey {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
}

/** The keys under which requests were answered. Holders read `<fingerprint> <stream> <revision> <position> <answer>`. */
export abstract class IdempotencyKeys {
  /** Who has the key for this item, or for any item of another request; null while it is free. */
  abstract holderOf(key: IdempotencyKey): Promise<string | null>;

  /** Takes the keys of answers that no append takes them for; per answer null, or the holder that was there before. */
  abstract remember(answers: readonly UnrecordedAnswer[]): Promise<readonly (string | null)[]>;
}
