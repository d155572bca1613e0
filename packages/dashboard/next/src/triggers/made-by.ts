import type { TriggerView } from '@waybill/client';

/** What a trigger makes, in words. */
export function madeBy({ task, mail, webhook, batchSize }: TriggerView): string {
  if (mail) return `mail to ${mail.to.join(', ')}`;
  if (webhook) return `a call of ${webhook.url}`;
  const queue = task?.queue ?? '';
  return batchSize ? `jobs of up to ${batchSize} items in ${queue}` : `a task in ${queue}`;
}
