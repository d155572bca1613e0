import type { IdempotencyKey, RecordedAnswer } from './event-store.port.js';

/** An answer that recorded no event, with the state of the stream that it is about. */
export type UnrecordedAnswer = IdempotencyKey & RecordedAnswer;

/** The keys under which requests were answered. */
export abstract class IdempotencyKeys {
  /** What was answered under the key for this item, or for any item of another request; null while the key is free. */
  abstract answerUnder(key: IdempotencyKey): Promise<RecordedAnswer | null>;

  /** Takes the keys of answers that no append takes them for; per answer null, or the answer that was there before. */
  abstract remember(answers: readonly UnrecordedAnswer[]): Promise<readonly (RecordedAnswer | null)[]>;
}
