import type { Run } from '@waybill/client';
import type { Delivery } from '../../application/deliveries/delivery.js';
import type { DeliverySettings } from './delivery-settings.js';
import { MailSender, type SentMail } from './send-mail.js';
import { type SentWebhook, WebhookSender } from './send-webhook.js';

/** Carries out deliveries, one attempt each. */
export class Deliveries {
  private readonly mail: MailSender;
  private readonly webhooks: WebhookSender;

  constructor(settings: DeliverySettings) {
    this.mail = new MailSender(settings);
    this.webhooks = new WebhookSender(settings);
  }

  /** Throws what went wrong, with the class that says whether the queue's policy tries again. */
  async deliver(run: Run<Delivery>): Promise<SentMail | SentWebhook> {
    try {
      return await this.send(run);
    } catch (error) {
      run.signal.throwIfAborted();
      throw error;
    }
  }

  private send({ task, signal }: Run<Delivery>): Promise<SentMail | SentWebhook> {
    const { payload } = task;
    return 'mail' in payload ? this.mail.send(payload.mail, task, signal) : this.webhooks.send(payload, task, signal);
  }
}
