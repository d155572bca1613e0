/**
 * Hints that something may be there to do. Lossy by contract: a listener that misses one finds the work at its next look,
 * so nothing that matters may travel here.
 */
export abstract class WakeUps {
  /** Tasks of this queue became ready, or the queue began to give out again; `*`: any queue may have. */
  abstract queueReady(queue: string): void;

  /** A task of this queue ended: a place under the queue's limits may be free. `*`: of any queue. */
  abstract slotFreed(queue: string): void;

  /** The log has grown, at least to this position. */
  abstract logAdvanced(position: bigint): void;

  /** Something will become due or overdue earlier than was known. */
  abstract scheduleChanged(): void;

  /** A producer left something in the outbox. */
  abstract outboxFilled(): void;

  /** Each answers a function that stops listening. */
  abstract onQueueReady(listener: (queue: string) => void): () => void;
  abstract onSlotFreed(listener: (queue: string) => void): () => void;
  abstract onLogAdvanced(listener: (position: bigint) => void): () => void;
  abstract onScheduleChanged(listener: () => void): () => void;
  abstract onOutboxFilled(listener: () => void): () => void;
}
