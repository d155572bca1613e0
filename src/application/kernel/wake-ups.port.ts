import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';

/** Which tasks became ready: at this step, and with these needs of their own. Absent: any. */
export interface ReadyTasks {
  readonly step?: string;
  readonly needs?: WorkerLabels;
}

/**
 * Hints that there may be work. A hint may be lost: a listener that misses one finds the work at its next regular look.
 * Never send anything here that must arrive.
 */
export abstract class WakeUps {
  /**
   * Tasks of this queue became ready, or the queue gives out tasks again. `*` means any queue. `only`: no other tasks became ready.
   */
  abstract queueReady(queue: string, only?: ReadyTasks): void;

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
  abstract onQueueReady(listener: (queue: string, only?: ReadyTasks) => void): () => void;
  abstract onSlotFreed(listener: (queue: string) => void): () => void;
  abstract onLogAdvanced(listener: (position: bigint) => void): () => void;
  abstract onScheduleChanged(listener: () => void): () => void;
  abstract onOutboxFilled(listener: () => void): () => void;
  abstract onSealsChanged(listener: () => void): () => void;
  abstract onTaskSaid(listener: (task: string) => void): () => void;
}
