import { functionsBeside } from '../database/sql.js';
import { APPEND_RECORDS } from './append-records.js';

/** What reads a stream. The dispatch index needs it, too. */
export const HISTORY_FUNCTIONS: readonly string[] = functionsBeside(import.meta.url, ['history']);

/** The append, and the types of what it takes. What to write is computed in TypeScript; it holds no rule beyond constraints. */
export const APPEND_FUNCTIONS: readonly string[] = [
  ...APPEND_RECORDS.map(({ create }) => create),
  ...functionsBeside(import.meta.url, ['segments-after', 'erase-payload', 'stale', 'store-segments', 'append']),
];
