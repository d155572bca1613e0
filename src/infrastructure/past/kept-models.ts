import { FAILURES_NOW, failuresThen } from '../../projections/failure-groups/failures-then.js';
import { groupBy, type GroupOf } from '../../projections/kernel/grouping.js';
import type { Projection } from '../../projections/kernel/projection.js';
import type { ModelRow } from '../../projections/kernel/rows-then.port.js';
import { queueStats } from '../../projections/queue-stats/queue-stats.projection.js';
import { isRemembered, workerRoster } from '../../projections/worker-roster/worker-roster.projection.js';

/** A model whose rows are kept as of some positions. It has one table, which counts. */
export interface KeptModel {
  readonly model: Projection<never>;
  /** SQL for its rows as they are now, if its table does not have all of them. */
  readonly rowsNow?: string;
  /** Whether a row of then was still needed. `at`: the time up to where the log was counted. */
  readonly isNeeded: (row: ModelRow, at: number) => boolean;
}

/** `groupOf`: the groups of failures of the configuration. */
export const keptModels = (groupOf: GroupOf = groupBy()): readonly KeptModel[] => [
  { model: queueStats, isNeeded: () => true },
  { model: workerRoster, isNeeded: isRemembered },
  { model: failuresThen(groupOf), isNeeded: () => true, rowsNow: FAILURES_NOW },
];

/** With the rules that apply if none are configured. */
export const KEPT_MODELS = keptModels();
