/** Queues with such a name belong to the service itself, because their tasks make it act. */
export const isReserved = (queue: string): boolean => queue.startsWith('waybill.');
