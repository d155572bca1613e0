import { Build } from '../infrastructure/database/build.js';
import { DELIVERY_FUNCTIONS } from '../infrastructure/deliveries/functions.js';
import { DISPATCH_INDEX_FUNCTIONS, DISPATCH_INDEX_TYPES } from '../infrastructure/dispatch-index/functions.js';
import { RESERVATION_FUNCTIONS } from '../infrastructure/eventstoredb/reservations/functions.js';
import { LEADERSHIP_FUNCTIONS } from '../infrastructure/leadership/functions.js';
import { OUTBOX_FUNCTIONS } from '../infrastructure/outbox/functions.js';
import { APPEND_FUNCTIONS, APPEND_TYPES } from '../infrastructure/postgres-event-store/functions.js';
import { PRESENCE_FUNCTIONS } from '../infrastructure/presence/functions.js';
import { CHECKPOINT_FUNCTIONS } from '../infrastructure/projection-engine/functions.js';

/**
 * The database's functions that only this program calls, for either event store, after the types of their parameters.
 * The folders' order and that of their files say nothing.
 */
export const FUNCTIONS: readonly string[] = [
  ...DISPATCH_INDEX_TYPES,
  ...APPEND_TYPES,
  ...LEADERSHIP_FUNCTIONS,
  ...DISPATCH_INDEX_FUNCTIONS,
  ...APPEND_FUNCTIONS,
  ...RESERVATION_FUNCTIONS,
  ...CHECKPOINT_FUNCTIONS,
  ...DELIVERY_FUNCTIONS,
  ...PRESENCE_FUNCTIONS,
];

/** What this build has in the database. */
export const BUILD = new Build({ functions: FUNCTIONS, shared: OUTBOX_FUNCTIONS });
