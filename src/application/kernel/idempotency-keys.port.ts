import type { IdempotencyKey, RecordedAnswer } from './event-store.port.js';

/** An answer to a request that recorded no event, with the revision of the stream that it is about. */
export type UnrecordedAnswer = IdempotencyKey & RecordedAnswer;

/** The idempotency keys and the answers stored under them. */
export abstract class IdempotencyKeys {
  /** The answer stored under the key for this item, or for any item of another request; null while the key is free. */
  abstract answerUnder(key: IdempotencyKey): Promise<RecordedAnswer | null>;

  /**
   * Stores answers whose keys no append takes. For each answer, returns null, or the answer that was already stored.
   */
  abstract remember(answers: readonly UnrecordedAnswer[]): Promise<readonly (RecordedAnswer | null)[]>;
}
