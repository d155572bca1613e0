import type { TriggerView } from '@waybill/client';

/** What a trigger makes, in words. */
export function madeBy({ task, changes, batchSize, ...trigger }: TriggerView): string {
  const { mail, webhook } = changes?.to ?? trigger;
  if (mail) return `mail to ${mail.to.join(', ')}`;
  if (webhook) return `a call of ${webhook.url}`;
  const queue = task?.queue ?? '';
  return batchSize ? `jobs of up to ${batchSize} items in ${queue}` : `a task in ${queue}`;
}
