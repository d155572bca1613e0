/** An instant with any offset, in the form that events store. */
export const isoTime = (instant: string): string => new Date(instant).toISOString();
