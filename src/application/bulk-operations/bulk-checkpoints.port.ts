import type { BulkResult } from './bulk-operation.js';

/** How far an operation is. */
export interface BulkCheckpoint {
  /** The tasks that are given the command next. */
  readonly tasks: readonly string[];
  /** Where the list continues after them; null at its end. */
  readonly cursor: string | null;
  /** What became of the tasks before them. */
  readonly result: BulkResult;
}

/** Where interrupted operations go on. Rows, not events: without them an operation begins anew. */
export abstract class BulkCheckpoints {
  /** Null if the operation has not begun. */
  abstract last(operation: string): Promise<BulkCheckpoint | null>;

  /** False if a later attempt of the operation, with a higher fencing token, has saved its own. */
  abstract save(operation: string, fencingToken: string, checkpoint: BulkCheckpoint): Promise<boolean>;
}
