import { functionsBeside } from '../database/sql.js';
import { APPEND_RECORDS } from './append-records.js';

/** The types of the append function's parameters. */
export const APPEND_TYPES: readonly string[] = APPEND_RECORDS.map(({ create }) => create);

/**
 * The append function, and those that read a stream. TypeScript decides what to write; the append function only checks
 * constraints.
 */
export const APPEND_FUNCTIONS: readonly string[] = functionsBeside(import.meta.url);
