import type { BatchCommandType } from './batch.commands.js';
import type { BatchStatus } from './batch.events.js';

/** Why a command on a batch, or a submission to it, is refused. */
export type BatchRejection =
  | { readonly code: 'BATCH_NOT_FOUND'; readonly batch: string }
  | { readonly code: 'BATCH_EXISTS' }
  | {
      readonly code: 'BATCH_ILLEGAL_TRANSITION';
      readonly command: BatchCommandType;
      readonly state: BatchStatus;
      readonly allowed: readonly BatchCommandType[];
    }
  /** The batch has another number of tasks than the caller expects. */
  | { readonly code: 'BATCH_INCOMPLETE'; readonly expected: number; readonly actual: number }
  /** A task can be added while the batch is planned or running. */
  | { readonly code: 'BATCH_ENDED'; readonly batch: string; readonly state: string }
  /** An unfinished task waits for the batch. */
  | { readonly code: 'BATCH_AWAITED'; readonly awaitedBy: string };
