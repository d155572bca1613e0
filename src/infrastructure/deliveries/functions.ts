import {
  FAILED_HOSTS_AT_ONCE,
  NEW_HOSTS_AT_ONCE,
  TARGET_FAILS_AFTER,
} from '../../application/deliveries/target-gate.port.js';
import { functionsBeside } from '../database/sql.js';

/** Who may go to the target of deliveries. Hosts that share places have a row together, of a name that no host has. */
export const DELIVERY_FUNCTIONS: readonly string[] = functionsBeside(import.meta.url, {
  FAILURES: TARGET_FAILS_AFTER,
  NEW_HOSTS: '(new hosts)',
  NEW_AT_ONCE: NEW_HOSTS_AT_ONCE,
  FAILED_HOSTS: '(failed hosts)',
  FAILED_AT_ONCE: FAILED_HOSTS_AT_ONCE,
});
