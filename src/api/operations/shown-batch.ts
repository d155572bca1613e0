import { commandsOnBatch } from '../../application/batches/batch-offers.js';
import type { OfferableBatchCommand } from '../../domain/batch/batch.policy.js';
import type { BatchDetails, BatchView } from '../../projections/batches/batches.queries.js';
import type { ReportTarget } from '../dto/batch.dto.js';
import { type ShownOpenTasks, shownOpenTasks } from './open-tasks.js';

/** A batch as callers see it. */
export type ShownBatch = Omit<BatchView, 'offers' | 'reportTo'> & {
  readonly commands: readonly OfferableBatchCommand[];
  /** As whoever created the batch gave it. */
  readonly reportTo: ReportTarget | null;
};

/** A batch with what is still open of it. */
export type ShownBatchDetails = ShownBatch & { readonly openTasks: readonly ShownOpenTasks[] };

export const shownBatchDetails = ({ openTasks, ...batch }: BatchDetails): ShownBatchDetails => ({
  ...shownBatch(batch),
  openTasks: openTasks.map(shownOpenTasks),
});

export function shownBatch(batch: BatchView): ShownBatch {
  const { offers: _offers, reportTo, ...view } = batch;
  return { ...view, reportTo: reportTo && shownTarget(reportTo), commands: commandsOnBatch(batch) };
}

/** As it was, without commands: nobody changes the past. */
export const pastBatch = (batch: BatchView): ShownBatch => ({ ...shownBatch(batch), commands: [] });

export const pastBatchDetails = ({ openTasks, ...batch }: BatchDetails): ShownBatchDetails => ({
  ...pastBatch(batch),
  openTasks: openTasks.map((tasks) => ({ ...shownOpenTasks(tasks), commands: [] })),
});

const shownTarget = ({ mail, webhook }: NonNullable<BatchView['reportTo']>): ReportTarget => ({
  ...(mail && { mail: { to: [...mail] } }),
  ...(webhook && { webhook }),
});
