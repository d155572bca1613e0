import type { ServiceQueue } from '../queues/service-queues.js';

/**
 * The tasks of this queue delete queues with their tasks. They have a queue of their own because they may wait long for
 * running tasks, which must hold up no other operation. A deletion goes on where it stopped, so a failed attempt is
 * worth a retry.
 */
export const QUEUE_DELETIONS: ServiceQueue = {
  name: 'waybill.queue-deletions',
  description: 'Queues that are deleted with their tasks',
  policy: { onFailure: 'retry' },
};

export const RUNNING_TASKS = ['finish', 'cancel'] as const;
/** What becomes of the tasks that run: their end is awaited, or their workers are asked to stop. */
export type RunningTasks = (typeof RUNNING_TASKS)[number];

export interface QueueDeletionOrder {
  readonly queue: string;
  readonly running: RunningTasks;
}

/** The payload of the deletion's task. */
export interface QueueDeletion extends QueueDeletionOrder {
  readonly reason?: string;
  /** How many tasks there were when it was ordered. */
  readonly expected: number;
  /** Who ordered it: the actor of every command. */
  readonly by: string;
}

/** What is to be deleted, and what is in the way. */
export interface QueueOutlook {
  /** The tasks that are not deleted yet, and those of them that run. */
  readonly tasks: number;
  readonly running: number;
  /** A task of another queue that waits for one of them; null if there is none. */
  readonly awaitedBy: string | null;
  /** A queue whose policy waits for this one; null if there is none. */
  readonly awaitedByQueue: string | null;
}
