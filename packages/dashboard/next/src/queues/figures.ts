import type { QueueHistory } from '@waybill/client';

/** How many tasks failed for good, whatever their error. */
export const failedIn = ({ failed }: Pick<QueueHistory['total'], 'failed'>): number =>
  Object.values(failed).reduce((sum, tasks) => sum + tasks, 0);
