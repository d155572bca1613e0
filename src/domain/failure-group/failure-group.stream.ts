export const FAILURE_CATEGORY = 'failure';

/** The stream of one group of failures: what people have said of it, and when it came back. */
export const failureGroupStream = (group: string): string => `${FAILURE_CATEGORY}-group-${group}`;
