/** How the names of the service's own queues begin, and those of labels that only the service gives its tasks. */
export const RESERVED = 'waybill.';

/** The deliveries: webhooks, and mail. */
export const WEBHOOK_QUEUE = `${RESERVED}deliveries`;
export const MAIL_QUEUE = `${RESERVED}mail`;

/** The queues of the service itself whose tasks others may limit by a label, because they have one: the target of the delivery. */
export const isLimitable = (queue: string): boolean =>
  !isReserved(queue) || queue === WEBHOOK_QUEUE || queue === MAIL_QUEUE;

/** Queues with such a name belong to the service itself, because their tasks make it act. */
export const isReserved = (name: string): boolean => name.startsWith(RESERVED);

/** The first of these labels that only the service gives; undefined if there is none. */
export const reservedLabel = (labels: Readonly<Record<string, string>> = {}): string | undefined =>
  Object.keys(labels).find(isReserved);
