import { QUEUE_CATEGORY } from '../../domain/queue/queue.stream.js';
import { TASK_CATEGORY } from '../../domain/task/task.stream.js';
import type { Receipt } from './command-context.js';
import type { Outcome } from './decider-runner.js';

/** An outcome whose effect holds: just recorded, or already there. */
export type Done<S, E, R> = Extract<Outcome<S, E, R>, { readonly kind: 'accepted' | 'alreadyDone' }>;

export const receiptOf = <S, E, R>(id: string, { kind, position, revision }: Done<S, E, R>): Receipt => ({
  id,
  position: String(position),
  revision,
  recorded: kind === 'accepted',
  replayed: false,
});

/** The receipt that an idempotency key stands for; null where its holder was another request. */
export function replayOf(holder: string, fingerprint: string): Receipt | null {
  const [taken, stream, revision, position] = holder.split(' ');
  if (taken !== fingerprint) return null;
  return { id: idOf(stream!), position: position!, revision: Number(revision), recorded: true, replayed: true };
}

function idOf(stream: string): string {
  const category = [TASK_CATEGORY, QUEUE_CATEGORY].find((name) => stream.startsWith(`${name}-`));
  if (category === undefined)
    throw new Error(`Expected a task or a queue behind an idempotency key, but it is '${stream}'`);
  return stream.slice(category.length + 1);
}
