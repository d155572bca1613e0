import type { Mail, Message, Webhook } from '../../application/deliveries/delivery.js';
import type { DeliveryTargets } from '../../application/deliveries/delivery-targets.port.js';
import type { Json } from '../../domain/kernel/json.js';
import type { DeliveryRequest, WebhookOrder } from '../dto/delivery.dto.js';
import { InvalidInput } from '../input/invalid-input.js';

/** The delivery that the request describes. Throws `InvalidInput` unless it has one target that can be reached. */
export function deliveryOf({ mail, webhook }: DeliveryRequest, targets: DeliveryTargets): Message {
  if ((mail === undefined) === (webhook === undefined))
    throw new InvalidInput([{ pointer: '/mail', detail: 'Expected either a mail or a webhook' }]);
  if (!mail) return webhookDelivery(webhook!, targets);
  assertMail(mail, targets, '/mail');
  return { mail };
}

function webhookDelivery({ url, secret, type, subject, data }: WebhookOrder, targets: DeliveryTargets): Message {
  assertTarget({ url, secret }, targets, '/webhook');
  const event = { type, source: '/deliveries', ...(subject !== undefined && { subject }), data: data as Json };
  return { webhook: { url, secret }, event };
}

/** Throws `InvalidInput` if the text only looks like a URL, a webhook may not have it, or no secret signs what goes there. */
export function assertTarget({ url, secret }: Webhook, targets: DeliveryTargets, pointer: string): void {
  const detail = URL.canParse(url) ? targets.faultIn(new URL(url), secret) : 'Expected a URL';
  if (detail !== null) throw new InvalidInput([{ pointer: `${pointer}/url`, detail }]);
  const unsigned = targets.faultInSecret(secret);
  if (unsigned !== null) throw new InvalidInput([{ pointer: `${pointer}/secret`, detail: unsigned }]);
}

/** Throws `InvalidInput` if no mail can be sent to them. */
export function assertMail({ to }: Pick<Mail, 'to'>, targets: DeliveryTargets, pointer: string): void {
  const detail = targets.faultInMail(to);
  if (detail !== null) throw new InvalidInput([{ pointer, detail }]);
}
