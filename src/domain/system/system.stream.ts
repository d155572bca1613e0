export const SYSTEM_CATEGORY = 'system';

/** The one stream that says whether the system drains. */
export const DRAIN_STREAM = `${SYSTEM_CATEGORY}-drain`;
