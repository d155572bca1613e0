import type { Task } from '@waybill/client';
import type { Notice, Webhook } from '../../application/deliveries/delivery.js';
import type { AllowedTargets } from './allowed-target.js';
import { type DeliverySettings, secretNamed, unknownSecret, type WebhookSecrets } from './delivery-settings.js';
import { FailedDelivery, RefusedDelivery } from './refused-delivery.js';
import { signedHeaders } from './signature.js';
import { post } from './webhook-call.js';

export interface WebhookOrder {
  readonly webhook: Webhook;
  readonly event: Notice;
}

export interface SentWebhook {
  readonly status: number;
}

/** The server says that it wants no more of these. */
const GONE = 410;

/** Sends webhooks as CloudEvents, signed as Standard Webhooks. */
export class WebhookSender {
  constructor(
    private readonly settings: DeliverySettings,
    private readonly targets: AllowedTargets,
  ) {}

  /** Every attempt has the id of the delivery as `webhook-id`, the trace within which it was ordered, and the same body. */
  async send(
    { webhook, event }: WebhookOrder,
    { taskId: id, enqueuedAt, traceparent }: Pick<Task, 'taskId' | 'enqueuedAt' | 'traceparent'>,
    stop: AbortSignal,
  ): Promise<SentWebhook> {
    const url = new URL(webhook.url);
    this.targets.check(url, webhook.secret);
    const body = JSON.stringify(cloudEvent(event, { id, time: enqueuedAt }));
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'user-agent': 'waybill',
      ...(traceparent !== undefined && { traceparent }),
      ...signedHeaders({ id, timestamp, body }, secretsOf(this.settings.webhookSecrets, webhook.secret)),
    };
    const status = await post({ url, headers, body }, this.targets, stop);
    if (status >= 200 && status < 300) return { status };
    const words = `Expected '${url.host}' to accept the delivery, but it answered with status ${status}`;
    throw status === GONE ? new RefusedDelivery(words) : new FailedDelivery(words);
  }
}

const cloudEvent = (event: Notice, delivery: { readonly id: string; readonly time: string }) => ({
  specversion: '1.0',
  ...delivery,
  datacontenttype: 'application/json',
  ...event,
});

function secretsOf(secrets: WebhookSecrets, name: string): readonly string[] {
  const found = secretNamed(secrets, name);
  // Orders are refused then, but the configuration may have changed since.
  if (found === null) throw new FailedDelivery(unknownSecret(name), false);
  return found.texts;
}
