import type { Waybill } from '@waybill/client';

const DAY = 86_400;

/** Lets a trigger make a job of two items by hand, so that nobody waits. Returns its id. */
export async function makeJob(waybill: Waybill): Promise<string> {
  const invoices = waybill.queue('invoices');
  await invoices.define();
  await waybill.queue('robots').define();
  const trigger = waybill.trigger('post-invoices');
  const task = { queue: 'robots', kind: 'post-invoices' };
  await trigger.define({ queue: invoices.name, batchSize: 10, every: DAY, task, description: 'Posts new invoices' });
  await trigger.disable();
  for (const reference of ['INV-2026-4711', 'INV-2026-4712']) await invoices.enqueue({ total: 12 }, { reference });
  const { id } = await trigger.fire({ reason: 'the customer waits' });
  await trigger.enable();
  return id;
}
