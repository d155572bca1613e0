import type { Projection } from '../../projections/kernel/projection.js';
import type { ModelRow } from '../../projections/kernel/rows-then.port.js';
import { queueStats } from '../../projections/queue-stats/queue-stats.projection.js';
import { isRemembered, workerRoster } from '../../projections/worker-roster/worker-roster.projection.js';

/** A model whose rows are kept as of some positions. It has one table, which counts. */
export interface KeptModel {
  readonly model: Projection<never>;
  /** Whether a row of then was still needed. `at`: the time up to where the log was counted. */
  readonly isNeeded: (row: ModelRow, at: number) => boolean;
}

export const KEPT_MODELS: readonly KeptModel[] = [
  { model: queueStats, isNeeded: () => true },
  { model: workerRoster, isNeeded: isRemembered },
];
