import type { Delivery } from '../../application/deliveries/delivery.js';
import type { Json } from '../../domain/kernel/json.js';
import type { DeliveryRequest, WebhookOrder } from '../dto/delivery.dto.js';
import { InvalidInput } from '../input/invalid-input.js';

/** The delivery that the request describes. Throws `InvalidInput` unless it has one target that can be reached. */
export function deliveryOf({ mail, webhook }: DeliveryRequest): Delivery {
  if ((mail === undefined) === (webhook === undefined))
    throw new InvalidInput([{ pointer: '#/mail', detail: 'Expected either a mail or a webhook' }]);
  return mail ? { mail } : webhookDelivery(webhook!);
}

function webhookDelivery({ url, secret, type, subject, data }: WebhookOrder): Delivery {
  assertUrl(url, '#/webhook/url');
  const event = { type, source: '/deliveries', ...(subject !== undefined && { subject }), data: data as Json };
  return { webhook: { url, secret }, event };
}

/** Throws `InvalidInput` if the text only looks like a URL. */
export function assertUrl(text: string, pointer: string): void {
  if (!URL.canParse(text)) throw new InvalidInput([{ pointer, detail: 'Expected a URL' }]);
}
