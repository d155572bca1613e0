import { PRESENT_FOR, UNKNOWN_FOR } from '../../projections/kernel/attendance.js';
import { functionsBeside } from '../database/sql.js';

/** Whether somebody serves the tasks of a queue. */
export const PRESENCE_FUNCTIONS: readonly string[] = functionsBeside(import.meta.url, {
  PRESENT_FOR,
  UNKNOWN_FOR,
});
