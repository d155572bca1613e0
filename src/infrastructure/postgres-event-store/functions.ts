import { functionsBeside } from '../database/sql.js';
import { APPEND_RECORDS } from './append-records.js';

/** The append, and the types of what it takes. What to write is computed in TypeScript; it holds no rule beyond constraints. */
export const APPEND_FUNCTIONS: readonly string[] = [
  ...APPEND_RECORDS.map(({ create }) => create),
  ...functionsBeside(import.meta.url, ['stale', 'append']),
];
