import { LRUCache } from 'lru-cache';
import type { AppendItem, AppendResult } from '../../application/kernel/event-store.port.js';
import { UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { taskStream } from '../../domain/task/task.stream.js';

/** The two revisions of a task: that of the index, and that of its history. */
export interface Dispute {
  readonly stream: string;
  readonly expected: number;
  readonly actual: number;
}

/** If more are disputed, those that were noted first must be noted twice again. */
const MOST = 1_000;

/**
 * Picked tasks about whose revisions the index and the history disagree. Another append may be the reason once; revisions
 * only grow. But if a later pick meets the same two, the row is wrong, and no repetition helps.
 */
export class DisputedTasks {
  private readonly noted = new LRUCache<string, Dispute>({ max: MOST });
  private readonly wrong = new LRUCache<string, UnreadableStream>({ max: MOST });

  note(disputes: readonly Dispute[]): void {
    for (const dispute of disputes) {
      const { stream, expected, actual } = dispute;
      const before = this.noted.get(stream);
      if (before?.expected === expected && before.actual === actual) this.wrong.set(stream, wrongRow(dispute));
      else this.noted.set(stream, dispute);
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
    this.noted.delete(stream);
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

/** No append to the task is accepted. */
export const wrongRow = ({ stream, expected, actual }: Dispute): UnreadableStream =>
  new UnreadableStream(
    stream,
    null,
    new Error(`its history and its row in the index differ: revisions ${expected} and ${actual}`),
  );
