export const QUEUE_CATEGORY = 'queue';

/** The stream of one queue. The API validates names (`QUEUE_NAME`), so they need no escaping. */
export const queueStream = (queue: string): string => `${QUEUE_CATEGORY}-${queue}`;

/** Letters, digits, dot, dash and underscore; up to 100 characters; begins with a letter or digit. */
export const QUEUE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
