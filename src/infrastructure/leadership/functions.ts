import { functionsBeside } from '../database/sql.js';

export const LEADERSHIP_FUNCTIONS = functionsBeside(import.meta.url);
