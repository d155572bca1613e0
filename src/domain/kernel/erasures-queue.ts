/** The queue whose tasks are orders of erasures. */
export const ERASURES_QUEUE = 'waybill.erasures';
