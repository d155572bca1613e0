export const BUILD_CATEGORY = 'build';

/** The builds of the workers of a queue. `of`: as with consumers. */
export const buildStream = (queue: string): string => `${BUILD_CATEGORY}-of-${queue}`;
