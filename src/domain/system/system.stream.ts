export const SYSTEM_CATEGORY = 'system';

/** The stream of one decision about the whole system. */
export const systemStream = (about: string): string => `${SYSTEM_CATEGORY}-${about}`;

/** What the one stream is about that says whether the system drains. */
export const DRAIN = 'drain';

export const DRAIN_STREAM = systemStream(DRAIN);
