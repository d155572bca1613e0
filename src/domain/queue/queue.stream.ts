export const QUEUE_CATEGORY = 'queue';

/** The stream of one queue. The API validates names (`NAME`), so they need no escaping. */
export const queueStream = (queue: string): string => `${QUEUE_CATEGORY}-${queue}`;
