import { commandsOnBatch } from '../../application/batches/batch-offers.js';
import type { OfferableBatchCommand } from '../../domain/batch/batch.policy.js';
import type { BatchDetails, BatchView } from '../../projections/batches/batches.queries.js';
import { type ShownOpenTasks, shownOpenTasks } from './open-tasks.js';

/** A batch as callers see it. */
export type ShownBatch = Omit<BatchView, 'offers'> & { readonly commands: readonly OfferableBatchCommand[] };

/** A batch with what is still open of it. */
export type ShownBatchDetails = ShownBatch & { readonly openTasks: readonly ShownOpenTasks[] };

export const shownBatchDetails = ({ openTasks, ...batch }: BatchDetails): ShownBatchDetails => ({
  ...shownBatch(batch),
  openTasks: openTasks.map(shownOpenTasks),
});

export function shownBatch(batch: BatchView): ShownBatch {
  const { offers: _offers, ...view } = batch;
  return { ...view, commands: commandsOnBatch(batch) };
}
