import { functionsBeside } from '../database/sql.js';
import { APPEND_RECORDS } from './append-records.js';

/** The functions that read a stream. The dispatch index needs them too. */
export const HISTORY_FUNCTIONS: readonly string[] = functionsBeside(import.meta.url, ['history', 'histories']);

/**
 * The append function and the types of its parameters. TypeScript decides what to write; the function only checks
 * constraints.
 */
export const APPEND_FUNCTIONS: readonly string[] = [
  ...APPEND_RECORDS.map(({ create }) => create),
  ...functionsBeside(import.meta.url, [
    'segments-after',
    'erase-payload',
    'stale',
    'run-of',
    'store-segments',
    'append',
  ]),
];
