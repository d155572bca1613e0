import { idOfStream } from '../../domain/aggregates.js';
import type { Receipt } from './command-context.js';
import type { Outcome } from './stream-command.js';
import type { RecordedAnswer } from './event-store.port.js';

/** The position of the stream after a command that was recorded, already done or rejected. */
type Done = Pick<
  Extract<Outcome<unknown, unknown, unknown>, { readonly kind: 'accepted' | 'alreadyDone' | 'rejected' }>,
  'kind' | 'position' | 'revision'
>;

export const receiptOf = (id: string, { kind, position, revision }: Done): Receipt => ({
  id,
  position: String(position),
  revision,
  recorded: kind === 'accepted',
  replayed: false,
});

/** How a request was answered, as stored with its idempotency key. */
export type KeptAnswer = 'recorded' | 'replaced' | 'gathered' | 'existing' | 'unchanged';

/**
 * How a start was answered: the secret half of the token that it gave. No event holds it, and the lease keeps it only while it
 * stands.
 */
export interface KeptLease {
  readonly secret: string;
}

export interface Replay<Kept = KeptAnswer> {
  readonly receipt: Receipt;
  readonly answer: Kept;
}

/** What one command of several did. */
export interface StepResult {
  /**
   * The id of the command's task or queue. For an enqueue it may be that of an existing task that stands for the item.
   */
  readonly id: string;
  readonly revision: number;
  /** False if the effect already held and nothing was recorded. */
  readonly recorded: boolean;
}

/** How several commands were answered together, as stored with the idempotency key of their request. */
export type KeptResults = readonly (readonly [id: string, revision: number, recorded: boolean])[];

/**
 * What each command did that the key stands for. The same request may have been one command of its own, or several:
 * it depends on what it found.
 */
export function resultsOf({ stream, revision, answer }: RecordedAnswer): readonly StepResult[] {
  if (!Array.isArray(answer)) return [{ id: idOfStream(stream), revision, recorded: RECORDED.includes(answer) }];
  return (answer as KeptResults).map(([id, at, recorded]) => ({ id, revision: at, recorded }));
}

const RECORDED: readonly unknown[] = ['recorded', 'replaced', 'gathered'] satisfies KeptAnswer[];

/** The receipt stored under an idempotency key; null if the key belongs to another request. */
export function replayOf<Kept = KeptAnswer>(recordedAnswer: RecordedAnswer, fingerprint: string): Replay<Kept> | null {
  const { position, answer } = recordedAnswer;
  if (recordedAnswer.fingerprint !== fingerprint) return null;
  const [first] = resultsOf(recordedAnswer);
  return { receipt: { ...first!, position, replayed: true }, answer: answer as Kept };
}
