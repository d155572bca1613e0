import { QUEUE_CATEGORY } from '../../domain/queue/queue.stream.js';
import { TASK_CATEGORY } from '../../domain/task/task.stream.js';
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
export type KeptAnswer = 'recorded' | 'replaced' | 'existing' | 'unchanged';

export interface Replay {
  readonly receipt: Receipt;
  readonly answer: KeptAnswer;
}

/** The receipt stored under an idempotency key; null if the key belongs to another request. */
export function replayOf(recordedAnswer: RecordedAnswer, fingerprint: string): Replay | null {
  const { stream, revision, position, answer } = recordedAnswer;
  if (recordedAnswer.fingerprint !== fingerprint) return null;
  const recorded = answer === 'recorded' || answer === 'replaced';
  const receipt = { id: idOf(stream), position, revision, recorded, replayed: true };
  return { receipt, answer: answer as KeptAnswer };
}

function idOf(stream: string): string {
  const category = [TASK_CATEGORY, QUEUE_CATEGORY].find((name) => stream.startsWith(`${name}-`));
  if (category === undefined)
    throw new Error(`Expected a task or a queue behind an idempotency key, but it is '${stream}'`);
  return stream.slice(category.length + 1);
}
