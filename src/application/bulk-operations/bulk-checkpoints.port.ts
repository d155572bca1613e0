import type { BulkResult } from './bulk-operation.js';

/** How far an operation is. */
export interface BulkCheckpoint {
  /** The tasks that are given the command next. */
  readonly tasks: readonly string[];
  /** Where the list continues after them; null at its end. */
  readonly cursor: string | null;
  /** What became of the tasks before them. */
  readonly result: BulkResult;
  /** Of an operation that goes through several lists, the one that the tasks are of. */
  readonly list?: string;
  /** How many pages came before; absent in the first. */
  readonly page?: number;
  /** The tasks of the canary that have the command, until it is decided. */
  readonly tried?: readonly string[];
  /** Until when the operation waits for their ends; absent before it waits. */
  readonly endsBy?: string;
}

/** The tasks of one page of an operation that have the command. */
export interface TakenTasks {
  readonly page: number;
  readonly tasks: readonly string[];
}

/** Where interrupted operations go on. Rows, not events: without them an operation begins anew. */
export abstract class BulkCheckpoints {
  /** Null if the operation has not begun. */
  abstract last(operation: string): Promise<BulkCheckpoint | null>;

  /**
   * Keeps `taken` with it: for good, because nothing else says which tasks an operation was for. False if a later attempt
   * of the operation, with a higher fencing token, has saved its own; then nothing is kept.
   */
  abstract save(
    operation: string,
    fencingToken: string,
    checkpoint: BulkCheckpoint,
    taken: TakenTasks | null,
  ): Promise<boolean>;
}
