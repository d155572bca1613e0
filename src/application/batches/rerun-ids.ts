import { derivedId } from '../kernel/derived-id.js';

/** A batch is run again by one other, so a repeated command finds what the first one made. */
export const rerunBatchOf = (batch: string): string => derivedId(`batch ${batch}`, 'rerun');

/** The copy of a task in the batch that runs the failed tasks of its batch again, whether or not there is one. */
export const copyOf = (task: string, batch: string): string => derivedId(`batch ${rerunBatchOf(batch)}`, task);
