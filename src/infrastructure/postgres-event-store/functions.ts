import { functionsBeside } from '../database/sql.js';
import { APPEND_RECORDS } from './append-records.js';

/**
 * The append function and the types of its parameters. TypeScript decides what to write; the function only checks
 * constraints.
 */
export const APPEND_FUNCTIONS: readonly string[] = [
  ...APPEND_RECORDS.map(({ create }) => create),
  ...functionsBeside(import.meta.url, ['stale', 'append']),
];
