import type { IsoTime } from '../kernel/json.js';
import type { BatchCounts, BatchStatus } from './batch.events.js';
import type { BatchFacts } from './batch.state.js';

/** Every command names its batch and has the time at which it was given (database clock). */
export type BatchCommand = { readonly batch: string; readonly now: IsoTime } & (
  | { readonly type: 'CreateBatch'; readonly facts: BatchFacts }
  /** `tasks`: how many the batch has. The append checks it. */
  | { readonly type: 'OpenBatch'; readonly tasks: number }
  /** Every task has ended, as the counts say. The append checks them. */
  | { readonly type: 'EndBatch'; readonly counts: BatchCounts }
  | { readonly type: 'AbortBatch' }
  | { readonly type: 'DeleteBatch' }
);

export type BatchCommandType = BatchCommand['type'];
export type BatchCommandOf<T extends BatchCommandType> = Extract<BatchCommand, { readonly type: T }>;

/** The statuses in which a command can record something. */
export const BATCH_COMMANDS: { readonly [T in BatchCommandType]: readonly BatchStatus[] } = {
  CreateBatch: [],
  OpenBatch: ['planning'],
  EndBatch: ['running', 'failed'],
  AbortBatch: ['planning', 'running', 'failed'],
  DeleteBatch: ['planning', 'running', 'completed', 'failed', 'aborted'],
};

export const allowedOnBatch = (status: BatchStatus): readonly BatchCommandType[] =>
  (Object.keys(BATCH_COMMANDS) as BatchCommandType[]).filter((type) => BATCH_COMMANDS[type].includes(status));
