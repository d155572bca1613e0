export const HOLDER_CATEGORY = 'holder';

/**
 * The stream of a serial queue's one consumer. Its own, because a queue's tasks are guarded by the queue's revision. `of`: a
 * store may know a stream by its id alone where that is a UUID, and a queue may be named by one.
 */
export const holderStream = (queue: string): string => `${HOLDER_CATEGORY}-of-${queue}`;
