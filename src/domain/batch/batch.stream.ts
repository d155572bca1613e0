export const BATCH_CATEGORY = 'batch';

/** The stream of one batch. Batch ids are UUIDs, so the name needs no escaping. */
export const batchStream = (batch: string): string => `${BATCH_CATEGORY}-${batch}`;

/** The id of a batch stream's name. */
export const batchIdOf = (stream: string): string => stream.slice(BATCH_CATEGORY.length + 1);
