/**
 * Hints that there may be work. A hint may be lost: a listener that misses one finds the work at its next regular look.
 * Never send anything here that must arrive.
 */
export abstract class WakeUps {
  /**
   * Tasks of this queue became ready, or the queue gives out tasks again. `*` means any queue. `step`: only tasks at this
   * step became ready.
   */
  abstract queueReady(queue: string, step?: string): void;

  /** A task of this queue ended, so a place under the queue's limits may be free. `*` means any queue. */
  abstract slotFreed(queue: string): void;

  /** The log has grown to this position or further. */
  abstract logAdvanced(position: bigint): void;

  /** Something becomes due or overdue earlier than known before. */
  abstract scheduleChanged(): void;

  /** A producer wrote to the outbox. */
  abstract outboxFilled(): void;

  /** There is a newer seal of the log, or the notary says why there is none. */
  abstract sealsChanged(): void;

  /** There are new lines of the handler of this task. `*` means any task. */
  abstract taskSaid(task: string): void;

  /** Each returns a function that stops listening. */
  abstract onQueueReady(listener: (queue: string, step?: string) => void): () => void;
  abstract onSlotFreed(listener: (queue: string) => void): () => void;
  abstract onLogAdvanced(listener: (position: bigint) => void): () => void;
  abstract onScheduleChanged(listener: () => void): () => void;
  abstract onOutboxFilled(listener: () => void): () => void;
  abstract onSealsChanged(listener: () => void): () => void;
  abstract onTaskSaid(listener: (task: string) => void): () => void;
}
