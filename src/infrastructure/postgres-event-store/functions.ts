import { functionsBeside } from '../database/sql.js';

/** The append. What to write is computed in TypeScript; it holds no rule beyond constraints. */
export const APPEND_FUNCTIONS = functionsBeside(import.meta.url, ['stale', 'append']);
