import { derivedId } from '../kernel/derived-id.js';

/** The id of the task that delivers a report to the mail addresses, or to the webhook, of its batch. */
export const reportDeliveryId = (batch: string, number: number, kind: 'mail' | 'webhook'): string =>
  derivedId(`batch ${batch}`, `report ${number} ${kind}`);
