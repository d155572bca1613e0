/** How the names of the service's own queues begin. */
export const RESERVED = 'waybill.';

/** Queues with such a name belong to the service itself, because their tasks make it act. */
export const isReserved = (queue: string): boolean => queue.startsWith(RESERVED);
