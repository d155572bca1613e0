import type { IsoTime, Json } from '../../domain/kernel/json.js';
import type { ServiceQueue, ServiceTask } from '../service-tasks/service-tasks.js';

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface Webhook {
  readonly url: string;
  /** The name under which the configuration has the secrets that sign. Those are in no event. */
  readonly secret: string;
}

/** What a webhook tells. What is absent, the delivery itself says: its id, and when it was made. */
export interface Notice {
  readonly id?: string;
  readonly type: string;
  readonly source: string;
  readonly subject?: string;
  readonly time?: IsoTime;
  /** The id of the replay that tells it once more. */
  readonly replay?: string;
  readonly data: Json;
}

/** The payload of a delivery's task. */
export type Delivery = { readonly mail: Mail } | { readonly webhook: Webhook; readonly event: Notice };

const kindOf = (delivery: Delivery): 'mail' | 'webhook' => ('mail' in delivery ? 'mail' : 'webhook');

/** The mail server, or the host of a webhook: what fails together, and may be asked so much at once. */
export const targetOf = (delivery: Delivery): string =>
  'mail' in delivery ? 'mail' : new URL(delivery.webhook.url).host.slice(0, MOST_CHARACTERS);

/** Of the value of a label. */
const MOST_CHARACTERS = 256;

/** The queue of a delivery. Mail has one of its own, so that neither waits for the other. */
export const queueOf = (delivery: Delivery): ServiceQueue => ('mail' in delivery ? MAILS : DELIVERIES);

/** The task of a delivery. Its label names the target, for lists and holds. */
export const taskOf = (delivery: Delivery, taskId: string | null): ServiceTask => ({
  taskId,
  kind: kindOf(delivery),
  labels: { target: targetOf(delivery) },
  payload: delivery as unknown as Json,
});

/**
 * The tasks of this queue and of the next are the deliveries. The delays between 22 attempts add up to a day on average, because of
 * the jitter, and to two days at most.
 */
export const DELIVERIES: ServiceQueue = {
  name: 'waybill.deliveries',
  description: 'Webhooks',
  policy: {
    onFailure: 'retry',
    maxLost: 22,
    errorStacks: false,
    retry: {
      maxAttempts: 22,
      classes: ['application', 'transient', 'bug'],
      backoff: { kind: 'exponential', baseMs: 15_000, factor: 2, capMs: 4 * 3_600_000, jitter: 'full' },
    },
  },
};

export const MAILS: ServiceQueue = { ...DELIVERIES, name: 'waybill.mail', description: 'Mail' };
