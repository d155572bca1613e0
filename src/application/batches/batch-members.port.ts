import type { TaskStatus } from '../../domain/task/task.events.js';

/** A task of a batch, as the index has it. */
export interface BatchMember {
  readonly taskId: string;
  readonly state: TaskStatus;
  /** The position of the task's newest event. */
  readonly position: bigint;
  /** Orders the tasks of a batch. */
  readonly seq: bigint;
}

/** Looks at the tasks of a batch, in the order in which they were added. */
export abstract class BatchMembers {
  /** At most `limit`, those that are not complete first. */
  abstract first(batch: string, limit: number): Promise<readonly BatchMember[]>;

  /** At most `limit` of those that have neither succeeded nor been superseded or deleted, after `seq`. */
  abstract incomplete(batch: string, after: bigint, limit: number): Promise<readonly BatchMember[]>;

  /** At most `limit` of those with events after `position`, after `seq`. */
  abstract changedSince(batch: string, position: bigint, after: bigint, limit: number): Promise<readonly BatchMember[]>;

  /** Notes that every task that had ended up to `asOf` has been reported by itself. */
  abstract lookedForEnded(batch: string, asOf: bigint): Promise<void>;
}
