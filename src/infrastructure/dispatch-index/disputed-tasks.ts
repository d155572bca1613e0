import { LRUCache } from 'lru-cache';
import type { AppendItem, AppendResult } from '../../application/kernel/event-store.port.js';
import { type Dispute, Disputes } from '../../application/kernel/disputes.js';
import type { UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { taskStream } from '../../domain/task/task.stream.js';

/** If more are disputed, those that were noted first must be noted twice again. */
const MOST = 1_000;

/** Picked tasks about whose revisions the index and the history disagree. */
export class DisputedTasks {
  private readonly noted = new Disputes(new LRUCache<string, Dispute>({ max: MOST }));
  private readonly wrong = new LRUCache<string, UnreadableStream>({ max: MOST });

  note(disputes: readonly Dispute[]): void {
    for (const dispute of disputes) {
      const wrong = this.noted.note(dispute);
      if (wrong) this.wrong.set(dispute.stream, wrong);
    }
  }

  /** Divides tasks into those to go on with and those whose rows are wrong, which it forgets. */
  divide<T extends { readonly taskId: string }>(
    tasks: readonly T[],
  ): { sound: readonly T[]; wrong: UnreadableStream[] } {
    if (this.wrong.size === 0) return { sound: tasks, wrong: [] };
    const wrong = tasks.flatMap(({ taskId }) => this.wrong.get(taskStream(taskId)) ?? []);
    const sound = tasks.filter(({ taskId }) => !this.wrong.has(taskStream(taskId)));
    for (const { stream } of wrong) this.forget(stream);
    return { sound, wrong };
  }

  private forget(stream: string): void {
    this.noted.forget(stream);
    this.wrong.delete(stream);
  }
}

/** The claims that were refused for their revision. Of a batch that is refused as a whole, the sound ones differ in nothing. */
export const disputesIn = (claims: readonly AppendItem[], results: readonly AppendResult[]): Dispute[] =>
  claims.flatMap(({ stream, expected }, at) => {
    const result = results[at]!;
    return result.kind === 'conflict' && result.actual !== expected
      ? [{ stream, expected, actual: result.actual }]
      : [];
  });
