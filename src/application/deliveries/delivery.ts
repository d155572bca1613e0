import type { IsoTime, Json } from '../../domain/kernel/json.js';
import type { Recipient } from '../../domain/trigger/trigger.events.js';
import { DELIVERIES, MAILS, type ServiceQueue } from '../queues/service-queues.js';
import type { ServiceTask } from '../service-tasks/service-tasks.js';

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

export type Message = { readonly mail: Mail } | { readonly webhook: Webhook; readonly event: Notice };

/** What a trigger tells: which tasks of a queue at one position are not what they were at an earlier one. Decimal. */
export interface ToldRange {
  readonly trigger: string;
  /** The occurrence, or when a person fired it. */
  readonly at: IsoTime;
  readonly queue: string;
  readonly after: string;
  readonly upTo: string;
}

/** Its message is made when it is sent. It follows from the log alone, so it is the same whenever that is. */
export interface ChangesDelivery {
  readonly changes: ToldRange;
  readonly to: Recipient;
}

/** The payload of a delivery's task. */
export type Delivery = Message | ChangesDelivery;

const addressOf = (delivery: Delivery): Message | Recipient => ('changes' in delivery ? delivery.to : delivery);

export const isMail = (delivery: Delivery): boolean => 'mail' in addressOf(delivery);

/** The mail server, or the host of a webhook: what fails together, and may be asked so much at once. */
export function targetOf(delivery: Delivery): string {
  const address = addressOf(delivery);
  return 'mail' in address ? 'mail' : new URL(address.webhook.url).host.slice(0, MOST_CHARACTERS);
}

/** Of the value of a label. */
const MOST_CHARACTERS = 256;

/** The queue of a delivery. Mail has one of its own, so that neither waits for the other. */
export const queueOf = (delivery: Delivery): ServiceQueue => (isMail(delivery) ? MAILS : DELIVERIES);

/** The task of a delivery. Its label names the target, for lists and holds. */
export const taskOf = (delivery: Delivery, taskId: string | null): ServiceTask => ({
  taskId,
  kind: isMail(delivery) ? 'mail' : 'webhook',
  labels: { target: targetOf(delivery) },
  payload: delivery as unknown as Json,
});
