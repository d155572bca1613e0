import { commandsOnBatch } from '../../application/batches/batch-offers.js';
import type { OfferableBatchCommand } from '../../domain/batch/batch.policy.js';
import type { BatchView } from '../../projections/batches/batches.queries.js';

/** A batch as callers see it. */
export type ShownBatch = Omit<BatchView, 'offers'> & { readonly commands: readonly OfferableBatchCommand[] };

export function shownBatch(batch: BatchView): ShownBatch {
  const { offers: _offers, ...view } = batch;
  return { ...view, commands: commandsOnBatch(batch) };
}
