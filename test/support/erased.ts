import type { ErasureSubject, Waybill } from '@waybill/client';
import { until } from './until.js';

/** What became of an erasure that a service has carried out, of open tasks as well. */
export async function erased(waybill: Waybill, subject: ErasureSubject): Promise<unknown> {
  const { id } = await waybill.erase(subject, 'Art. 17', { abortOpen: true });
  return until('the erasure to end', async () => {
    const { finishedAt, result } = await waybill.task(id!).get();
    return finishedAt === null ? null : result;
  });
}
