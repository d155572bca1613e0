import { functionsBeside } from '../database/sql.js';

export const CHECKPOINT_FUNCTIONS = functionsBeside(import.meta.url);
