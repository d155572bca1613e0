/** How the names of the service's own queues begin. */
export const RESERVED = 'waybill.';

/** The deliveries: webhooks, and mail. */
export const WEBHOOK_QUEUE = `${RESERVED}deliveries`;
export const MAIL_QUEUE = `${RESERVED}mail`;

/** The queues of the service itself whose tasks others may limit by a label, because they have one: the target of the delivery. */
export const isLimitable = (queue: string): boolean =>
  !isReserved(queue) || queue === WEBHOOK_QUEUE || queue === MAIL_QUEUE;

/** Queues with such a name belong to the service itself, because their tasks make it act. */
export const isReserved = (queue: string): boolean => queue.startsWith(RESERVED);
