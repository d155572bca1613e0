export const CONSUMER_CATEGORY = 'consumer';

/**
 * The stream of a serial queue's consumer. It is separate from the queue's stream, whose revision guards commands on
 * the queue's tasks. `of` makes the rest of the name no UUID, even if the queue's name is one, because a store may
 * identify a stream by a UUID in its name alone.
 */
export const consumerStream = (queue: string): string => `${CONSUMER_CATEGORY}-of-${queue}`;
