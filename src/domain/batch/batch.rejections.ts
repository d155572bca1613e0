import type { BatchCommandType } from './batch.commands.js';
import type { BatchStatus } from './batch.events.js';
import type { OfferableBatchCommand, RerunReporting } from './batch.policy.js';

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
  /** The batch's policy does not offer the command in this phase. */
  | {
      readonly code: 'BATCH_COMMAND_NOT_OFFERED';
      readonly command: OfferableBatchCommand;
      /** In the words of the policy. */
      readonly state: string;
      readonly preset: string | null;
      readonly offered: readonly OfferableBatchCommand[];
    }
  /** The batch's policy reports runs of failed tasks in another way. */
  | { readonly code: 'RE_RUNS_REPORTED_OTHERWISE'; readonly reRunReporting: RerunReporting }
  /** The queue of the planner does not let whoever creates a batch choose this. */
  | { readonly code: 'RE_RUN_REPORTING_FIXED'; readonly queue: string; readonly reRunReporting: RerunReporting }
  /** Another batch runs the tasks again already. */
  | { readonly code: 'BATCH_RUNS_AGAIN'; readonly rerun: string }
  /** The task can only be run again in a batch of its own. */
  | { readonly code: 'RERUN_IN_BATCH'; readonly batch: string }
  /** Its contents are erased: it can only be deleted. */
  | { readonly code: 'BATCH_ERASED' }
  | { readonly code: 'BATCH_NOT_ENDED'; readonly state: BatchStatus }
  /** No task plans the batch. */
  | { readonly code: 'BATCH_WITHOUT_PLANNER'; readonly batch: string }
  /** The batch has another number of tasks than the caller expects. */
  | { readonly code: 'BATCH_INCOMPLETE'; readonly expected: number; readonly actual: number }
  /** A task can be added while the batch is planned or running. */
  | { readonly code: 'BATCH_ENDED'; readonly batch: string; readonly state: string }
  /** An unfinished task waits for the batch. */
  | { readonly code: 'BATCH_AWAITED'; readonly awaitedBy: string };
