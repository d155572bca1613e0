import { type BatchHandle, type BatchPlan, type Waybill, WaybillError } from '@waybill/client';

/** How a batch was found. */
export interface Continued {
  readonly batch: BatchHandle;
  readonly isNew: boolean;
  /** The titles of tasks that had stopped and were retried. */
  readonly retried: readonly string[];
}

/** Submits the plan, or continues what an earlier run submitted with the same id: retries what was cancelled or failed. */
export async function continueBatch(waybill: Waybill, plan: BatchPlan): Promise<Continued> {
  const state = await stateOf(waybill, plan.id);
  const batch = state === null || state === 'planning' ? await plan.submit() : waybill.batch(plan.id);
  return { batch, isNew: state === null, retried: await retryStopped(waybill, plan.id) };
}

async function stateOf(waybill: Waybill, id: string) {
  try {
    return (await waybill.batch(id).get()).state;
  } catch (error) {
    if (error instanceof WaybillError && error.code === 'BATCH_NOT_FOUND') return null;
    throw error;
  }
}

async function retryStopped(waybill: Waybill, batch: string): Promise<string[]> {
  const { items } = await waybill.tasks.page({ batch }, { limit: 100 });
  const stopped = items.filter(({ state }) => state === 'cancelled' || state === 'failed');
  for (const { id } of stopped) await waybill.task(id).retry({ reason: 'The program was started again' });
  return stopped.map(({ reference, kind }) => reference ?? kind);
}
