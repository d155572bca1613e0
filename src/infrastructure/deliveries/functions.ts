import { TARGET_FAILS_AFTER } from '../../application/deliveries/target-gate.port.js';
import { functionsBeside } from '../database/sql.js';

/** Who may go to the target of deliveries. */
export const DELIVERY_FUNCTIONS: readonly string[] = functionsBeside(
  import.meta.url,
  ['enter-target', 'leave-target'],
  { FAILURES: TARGET_FAILS_AFTER },
);
