import type { TaskStatus } from '../task/task.events.js';
import type { BatchStatus } from './batch.events.js';
import type { BatchPhase } from './batch.policy.js';

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
