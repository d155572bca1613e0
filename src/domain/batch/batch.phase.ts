import type { TaskStatus } from '../task/task.events.js';
import type { OfferableBatchCommand } from './batch.commands.js';
import type { BatchStatus } from './batch.events.js';
import type { BatchOffer } from './batch.policy.js';

/** Where a batch is. As long as a task plans it, that task's progress is the batch's. */
export const BATCH_PHASES = [
  'planning',
  'pending',
  'held',
  'processing',
  'running',
  'completed',
  'failed',
  'reporting',
  'aborted',
  'deleted',
] as const;

export type BatchPhase = (typeof BATCH_PHASES)[number];

/** The task that plans a batch. */
export interface Planner {
  readonly status: TaskStatus;
  /** Whether a worker has had it, or somebody has released it. */
  readonly begun: boolean;
}

/** `planner`: null if the batch is planned by no task. */
export function phaseOf(status: BatchStatus, planner: Planner | null): BatchPhase {
  if (status !== 'planning') return status;
  if (planner === null) return 'planning';
  if (planner.status === 'held') return 'held';
  return planner.status === 'running' || planner.begun ? 'processing' : 'pending';
}

/** Whether the batch's policy offers the command in this phase. */
export const isOffered = (
  command: OfferableBatchCommand,
  phase: BatchPhase,
  offers: readonly BatchOffer[] | undefined,
): boolean =>
  offers === undefined ||
  offers.some((offer) =>
    typeof offer === 'string' ? offer === command : offer.command === command && offer.in.includes(phase),
  );
