import { type BatchPlan, derivedId, type Waybill } from '@waybill/client';
import { basename } from 'node:path';
import { makeAssetTree } from './asset-tree.js';
import { makeLinkTree, removeLinkTree } from './link-tree.js';
import { scanMetadata } from './metadata.js';
import { ingestTape } from './tape.js';

export const QUEUE = 'console-ingest';

/** A killed program's task is given out again after this time. */
export const LEASE_MS = 5_000;

/** The folder to ingest, and where the ingest keeps its trees and its archive. Both absolute. */
export interface Folders {
  readonly folder: string;
  readonly work: string;
}

export const defineQueue = (waybill: Waybill) =>
  waybill.queue(QUEUE).define({ leaseMs: LEASE_MS }, { preset: 'console', replace: true });

/** The console's task functions. */
export function consoleFunctions(waybill: Waybill) {
  const functions = waybill.functions({ queue: QUEUE });
  return {
    functions,
    makeAssetTree: functions.task('assets:make', makeAssetTree),
    makeLinkTree: functions.task('links:make', makeLinkTree),
    removeLinkTree: functions.task('links:remove', removeLinkTree),
    ingestTape: functions.task('tape:ingest', ingestTape),
    scanMetadata: functions.task('metadata:scan', scanMetadata),
  };
}

export type ConsoleFunctions = ReturnType<typeof consoleFunctions>;

/** The eight tasks of an ingest. Their ids follow from the folders, so a second run finds those of the first. */
export async function planIngest(
  waybill: Waybill,
  to: ConsoleFunctions,
  { folder, work }: Folders,
): Promise<BatchPlan> {
  const id = await derivedId('console ingest', JSON.stringify([folder, work]));
  const plan = waybill.planBatch({ id, name: `Ingest of ${basename(folder)}` });
  const assets = plan.add(to.makeAssetTree, [folder, work], { reference: 'asset tree' });
  const after = [assets];
  const tape = plan.add(to.makeLinkTree, [folder, work, 'tape'], { reference: 'tape links', after });
  const metadata = plan.add(to.makeLinkTree, [folder, work, 'metadata'], { reference: 'metadata links', after });
  plan.add(to.makeLinkTree, [folder, work, 'proxy'], { reference: 'proxy links', after });
  const archived = plan.add(to.ingestTape, [work], { reference: 'tape ingest', after: [tape] });
  const scanned = plan.add(to.scanMetadata, [work], { reference: 'metadata scan', after: [metadata] });
  plan.add(to.removeLinkTree, [work, 'tape'], { reference: 'tape clean-up', after: [archived] });
  plan.add(to.removeLinkTree, [work, 'metadata'], { reference: 'metadata clean-up', after: [scanned] });
  return plan;
}
