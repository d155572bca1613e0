import type { ApiKeyView } from '@waybill/contracts';
import { bytes, count } from './numbers.js';

/** What the holder of an API key may use, in words; empty without a quota. */
export function quotaInWords(quota: ApiKeyView['quota']): string {
  const { requestsPerMinute, bytesPerMinute, tasksPerMinute, recipientsPerMinute, runningTasks } = quota ?? {};
  return [
    requestsPerMinute !== undefined && `${count(requestsPerMinute)} requests/min`,
    bytesPerMinute !== undefined && `${bytes(bytesPerMinute)}/min`,
    tasksPerMinute !== undefined && `${count(tasksPerMinute)} tasks/min`,
    recipientsPerMinute !== undefined && `${count(recipientsPerMinute)} recipients/min`,
    runningTasks !== undefined && `${count(runningTasks)} running`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}
