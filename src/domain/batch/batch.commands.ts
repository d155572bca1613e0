import type { IsoTime } from '../kernel/json.js';
import type { BatchCounts, BatchStatus, ReportContent, ReportedTask } from './batch.events.js';
import type { BatchFacts } from './batch.state.js';

/** Every command names its batch and has the time at which it was given (database clock). */
export type BatchCommand = { readonly batch: string; readonly now: IsoTime } & (
  | { readonly type: 'CreateBatch'; readonly facts: BatchFacts }
  /** `tasks`: how many the batch has. The append checks it. */
  | { readonly type: 'OpenBatch'; readonly tasks: number }
  /** The task that plans the batch has ended without success. */
  | { readonly type: 'FailPlan'; readonly error: string }
  /** Every task has ended, as the counts say, or a report was requested. The append checks the counts. */
  | { readonly type: 'EndBatch'; readonly counts: BatchCounts; readonly report: ReportContent }
  /** These tasks were run again, and have ended. The append checks that no other has ended since they were looked for. */
  | { readonly type: 'ReportTasks'; readonly tasks: readonly ReportedTask[] }
  | { readonly type: 'RequestReport'; readonly by: string }
  | { readonly type: 'RerunBatch'; readonly rerun: string; readonly by: string }
  | { readonly type: 'AbortBatch' }
  | { readonly type: 'DeleteBatch' }
  /** By the service, for an order of an erasure. */
  | { readonly type: 'EraseBatch'; readonly erasure: string }
);

export type BatchCommandType = BatchCommand['type'];
export type BatchCommandOf<T extends BatchCommandType> = Extract<BatchCommand, { readonly type: T }>;

/** The statuses in which a command can record something. */
export const BATCH_COMMANDS: { readonly [T in BatchCommandType]: readonly BatchStatus[] } = {
  CreateBatch: [],
  OpenBatch: ['planning'],
  FailPlan: ['planning'],
  EndBatch: ['running', 'failed', 'reporting'],
  ReportTasks: ['failed'],
  RequestReport: ['failed'],
  RerunBatch: ['failed'],
  AbortBatch: ['planning', 'running', 'failed', 'reporting'],
  DeleteBatch: ['planning', 'running', 'completed', 'failed', 'reporting', 'aborted'],
  EraseBatch: ['completed', 'failed', 'aborted', 'deleted'],
};

export const allowedOnBatch = (status: BatchStatus): readonly BatchCommandType[] =>
  (Object.keys(BATCH_COMMANDS) as BatchCommandType[]).filter((type) => BATCH_COMMANDS[type].includes(status));
