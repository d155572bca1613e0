/** SQL for the number of milliseconds that the oldest ready task of `queue`, an expression, has waited; null if there is none. */
export const oldestWaitingMs = (queue: string): string => `waybill_oldest_waiting_ms(${queue})`;
