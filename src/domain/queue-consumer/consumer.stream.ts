export const CONSUMER_CATEGORY = 'consumer';

/**
 * The stream of a serial queue's one consumer. Its own, because a queue's tasks are guarded by the queue's revision. `of`: a
 * store may know a stream by its id alone where that is a UUID, and a queue may be named by one.
 */
export const consumerStream = (queue: string): string => `${CONSUMER_CATEGORY}-of-${queue}`;
